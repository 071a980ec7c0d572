//! The macros that gcc defines before it reads a file: those that programs ask for, as on 64-bit Linux on every machine.

/// Names that are macros only in conditions (`#ifdef linux`): elsewhere they are names like any other.
const NAMES: [&str; 2] = ["linux", "unix"];

/// Names of macros with their texts.
static MACROS: [(&str, &str); 56] = [
    ("_LP64", "1"),
    ("__BIGGEST_ALIGNMENT__", "16"),
    ("__BYTE_ORDER__", "1234"),
    ("__CHAR_BIT__", "8"),
    // The time at which a file is read must not change its meaning.
    ("__DATE__", "\"Jan  1 1970\""),
    ("__ELF__", "1"),
    ("__FLOAT_WORD_ORDER__", "1234"),
    ("__GNUC_MINOR__", "2"),
    ("__GNUC_PATCHLEVEL__", "0"),
    ("__GNUC__", "12"),
    ("__INT16_MAX__", "0x7fff"),
    ("__INT32_MAX__", "0x7fffffff"),
    ("__INT64_MAX__", "0x7fffffffffffffffL"),
    ("__INT8_MAX__", "0x7f"),
    ("__INTMAX_MAX__", "0x7fffffffffffffffL"),
    ("__INT_MAX__", "0x7fffffff"),
    ("__INT_WIDTH__", "32"),
    ("__LONG_LONG_MAX__", "0x7fffffffffffffffLL"),
    ("__LONG_MAX__", "0x7fffffffffffffffL"),
    ("__LP64__", "1"),
    ("__ORDER_BIG_ENDIAN__", "4321"),
    ("__ORDER_LITTLE_ENDIAN__", "1234"),
    ("__ORDER_PDP_ENDIAN__", "3412"),
    ("__PTRDIFF_MAX__", "0x7fffffffffffffffL"),
    ("__SCHAR_MAX__", "0x7f"),
    ("__SHRT_MAX__", "0x7fff"),
    ("__SIZEOF_DOUBLE__", "8"),
    ("__SIZEOF_FLOAT__", "4"),
    ("__SIZEOF_INT__", "4"),
    ("__SIZEOF_LONG_LONG__", "8"),
    ("__SIZEOF_LONG__", "8"),
    ("__SIZEOF_POINTER__", "8"),
    ("__SIZEOF_SHORT__", "2"),
    ("__SIZEOF_SIZE_T__", "8"),
    ("__SIZE_MAX__", "0xffffffffffffffffUL"),
    ("__STDC_HOSTED__", "1"),
    ("__STDC_VERSION__", "199901L"),
    ("__STDC__", "1"),
    ("__TIMESTAMP__", "\"Thu Jan  1 00:00:00 1970\""),
    ("__TIME__", "\"00:00:00\""),
    ("__UINT16_MAX__", "0xffff"),
    ("__UINT32_MAX__", "0xffffffffU"),
    ("__UINT64_MAX__", "0xffffffffffffffffUL"),
    ("__UINT8_MAX__", "0xff"),
    ("__VERSION__", "\"12.2.0\""),
    ("__amd64", "1"),
    ("__amd64__", "1"),
    ("__gnu_linux__", "1"),
    ("__linux", "1"),
    ("__linux__", "1"),
    ("__unix", "1"),
    ("__unix__", "1"),
    ("__x86_64", "1"),
    ("__x86_64__", "1"),
    ("linux", "1"),
    ("unix", "1"),
];

/// The text of a predefined macro: one token.
pub(crate) fn predefined(name: &str) -> Option<&'static str> {
    let found = MACROS.binary_search_by_key(&name, |(name, _)| name).ok()?;
    Some(MACROS[found].1)
}

/// Whether the macro is one in conditions only.
pub(crate) fn is_name_elsewhere(name: &str) -> bool {
    NAMES.contains(&name)
}
