"""Archives of arrays, as `numpy.savez` writes them."""

import tokenize
import zipfile
import zlib

# What NumPy raises for a damaged archive: of files, of the archive, and of the text that says what
# an array is.
UNREADABLE = (
    *(OSError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError),
    *(KeyError, ValueError, TypeError, SyntaxError, tokenize.TokenError),
)
