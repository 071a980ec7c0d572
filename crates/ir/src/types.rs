//! Types of variables.

use lurcher_resources::{charge, checkpoint};

/// The type of one stored value. Computed values are `i32`; a scalar determines the stored bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// One bit.
    Bit,
    /// 0 to 255.
    Byte,
    /// −32768 to 32767.
    Short,
    /// The whole `i32`.
    Int,
    /// An unsigned integer of 1 to 31 bits.
    Unsigned(u8),
    /// A symbolic constant (`mtype`), 0 to 255, of a set of names.
    Symbol(u16),
    /// The number of a channel; 0 is none.
    Channel,
}

impl Scalar {
    /// Bytes in a state.
    pub fn size(self) -> u32 {
        match self {
            Scalar::Bit | Scalar::Byte | Scalar::Symbol(_) => 1,
            Scalar::Short | Scalar::Channel => 2,
            Scalar::Int => 4,
            Scalar::Unsigned(bits) => match bits {
                0..=8 => 1,
                9..=16 => 2,
                _ => 4,
            },
        }
    }

    /// The value read back after storing `value`.
    pub fn truncate(self, value: i32) -> i32 {
        match self {
            Scalar::Bit => value & 1,
            Scalar::Byte | Scalar::Symbol(_) => i32::from(value as u8),
            Scalar::Short => i32::from(value as i16),
            Scalar::Channel => i32::from(value as u16),
            Scalar::Int => value,
            Scalar::Unsigned(bits) => (value as u32 & ((1u32 << bits.min(31)) - 1)) as i32,
        }
    }
}

/// A single value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Its name.
    pub name: String,
    /// Its offset.
    pub offset: u32,
    /// Its type.
    pub scalar: Scalar,
}

impl Leaf {
    /// The leaf as a part of something with a name and an offset.
    pub(crate) fn inside(self, name: &str, offset: u32) -> Leaf {
        checkpoint();
        Leaf { name: format!("{name}{}", self.name), offset: offset + self.offset, ..self }
    }
}

/// The shape of a declared variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VarShape {
    /// One value.
    Scalar(Scalar),
    /// Named fields, each at an offset inside the record.
    Record(Vec<(String, u32, VarShape)>),
    /// An array: number of elements, bytes from one to the next, element.
    Array(u32, u32, Box<VarShape>),
}

impl VarShape {
    /// Bytes in a state.
    pub fn size(&self) -> u32 {
        match self {
            VarShape::Scalar(s) => s.size(),
            VarShape::Record(fields) => fields.iter().map(|(_, _, f)| f.size()).sum(),
            VarShape::Array(n, stride, _) => n * stride,
        }
    }

    /// Calls `f` with the offset and the type of every value, in the order of [`leaves`](Self::leaves).
    pub fn scalars(&self, at: u32, f: &mut dyn FnMut(u32, Scalar)) {
        match self {
            VarShape::Scalar(scalar) => f(at, *scalar),
            VarShape::Record(fields) => fields.iter().for_each(|(_, offset, shape)| shape.scalars(at + offset, f)),
            VarShape::Array(n, stride, element) => {
                charge(*n as usize / 16);
                (0..*n).for_each(|i| element.scalars(at + i * stride, f));
            }
        }
    }

    /// The value at an offset; its name is a suffix such as `.a[2]`.
    pub fn leaf_at(&self, at: u32) -> Option<Leaf> {
        match self {
            VarShape::Scalar(scalar) => (at == 0).then(|| Leaf { name: String::new(), offset: 0, scalar: *scalar }),
            VarShape::Record(fields) => fields.iter().find_map(|(name, offset, shape)| {
                Some(shape.leaf_at(at.checked_sub(*offset)?)?.inside(&format!(".{name}"), *offset))
            }),
            VarShape::Array(n, stride, element) => {
                let i = at.checked_div(*stride).filter(|i| i < n)?;
                Some(element.leaf_at(at - i * stride)?.inside(&format!("[{i}]"), i * stride))
            }
        }
    }

    /// Every value; its name is a suffix such as `.a[2]`.
    pub fn leaves(&self) -> Box<dyn Iterator<Item = Leaf> + '_> {
        match self {
            VarShape::Scalar(scalar) => {
                Box::new(std::iter::once(Leaf { name: String::new(), offset: 0, scalar: *scalar }))
            }
            VarShape::Record(fields) => Box::new(fields.iter().flat_map(|(name, offset, shape)| {
                shape.leaves().map(move |leaf| leaf.inside(&format!(".{name}"), *offset))
            })),
            VarShape::Array(n, stride, element) => Box::new((0..*n).flat_map(move |i| {
                checkpoint();
                element.leaves().map(move |leaf| leaf.inside(&format!("[{i}]"), i * stride))
            })),
        }
    }
}
