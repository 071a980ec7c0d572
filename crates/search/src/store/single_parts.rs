//! Single parts of nodes, read and replaced.

use super::StoreFull;
use super::batch::Batch;
use super::collapse::CollapseTable;
use super::decoded_state::{DecodedState, EncodedNode, PackedChange, PartChange};
use super::partition::MAX_PART;

impl CollapseTable {
    /// Copies a part of the decoded node; returns its bytes.
    #[inline]
    pub fn read_part<'b>(&self, decoded: &DecodedState, part: usize, bytes: &'b mut [u8; MAX_PART]) -> &'b [u8] {
        let layout = decoded.layout_of_bytes().expect("a node is decoded");
        let bytes = &mut bytes[..layout.parts[part].len()];
        self.parts.read(&layout.columns[part], decoded.numbers[part], bytes);
        bytes
    }

    /// The change that replaces a part of the decoded node by these bytes.
    #[inline]
    pub fn change_of_part(
        &self,
        decoded: &mut DecodedState,
        part: usize,
        bytes: &[u8],
    ) -> Result<PackedChange, StoreFull> {
        let DecodedState { layout_of, known, numbers, recent, .. } = decoded;
        let column = &known.get(layout_of.expect("a node is decoded")).layout.columns[part];
        let hash = column.hash(bytes);
        let number = self.parts.insert(recent, column, bytes, hash)?;
        let added = hash.wrapping_sub(self.parts.hash(column, numbers[part]));
        Ok(PartChange { part: part as u32, hash: added, number }.pack())
    }

    /// Adds a copy of a node of a batch that ends with other bytes of the last part, without its bytes.
    pub fn add_copy(
        &self,
        decoded: &mut DecodedState,
        node: usize,
        suffix: &[u8],
        batch: &mut Batch,
    ) -> Result<(), StoreFull> {
        self.set_suffix(decoded, batch.next_copy(node), suffix)?;
        batch.push(&[]);
        Ok(())
    }

    /// Replaces the last bytes of an encoded node. They belong to its last part.
    pub fn set_suffix(
        &self,
        decoded: &mut DecodedState,
        node: &mut EncodedNode,
        suffix: &[u8],
    ) -> Result<(), StoreFull> {
        let DecodedState { known, recent, .. } = decoded;
        let encoding = known.get(node.encoding);
        let part = encoding.layout.columns.len() - 1;
        let (column, mut bytes) = (&encoding.layout.columns[part], [0; MAX_PART]);
        let bytes = &mut bytes[..encoding.layout.parts[part].len()];
        let before = self.parts.read(column, encoding.get(node.words.get(), part), bytes);
        let start = bytes.len() - suffix.len();
        bytes[start..].copy_from_slice(suffix);
        let hash = column.hash(bytes);
        let number = self.parts.insert(recent, column, bytes, hash)?;
        node.sum = node.sum.wrapping_sub(before).wrapping_add(hash);
        if !encoding.set(node.words.get_mut(), part, number) {
            let layout = encoding.layout.clone();
            let mut numbers = vec![0; part + 1];
            encoding.read(node.words.get(), &mut numbers);
            numbers[part] = number;
            self.encode_numbers(known, &layout, &numbers, node)?;
        }
        node.finish();
        self.prefetch(node);
        Ok(())
    }

    /// The number of a part of an encoded node.
    pub fn number_in(&self, decoded: &DecodedState, node: &EncodedNode, part: usize) -> u32 {
        decoded.known.get(node.encoding).get(node.words.get(), part)
    }
}
