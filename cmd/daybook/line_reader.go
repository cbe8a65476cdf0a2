package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// lineReader reads a text line by line, and holds no more of it than the longest line that is taken.
type lineReader struct {
	reader *bufio.Reader
	number int   // of the line that was read last, from 1 on
	size   int64 // its bytes, also where it was too long
}

func newLineReader(text io.Reader, maxBytes int) *lineReader {
	return &lineReader{reader: bufio.NewReaderSize(text, maxBytes+2)} // with the end of the line
}

// errLongLine is a line that is too long; it was passed over.
var errLongLine = errors.New("the line is too long")

// next gives a line without the space around it, until the next call. Errors: errLongLine, after which it goes on; io.EOF after the last.
func (l *lineReader) next() ([]byte, error) {
	line, err := l.reader.ReadSlice('\n')
	l.number++
	l.size = int64(len(line))
	if errors.Is(err, io.EOF) && len(line) > 0 {
		err = nil
	}
	long := errors.Is(err, bufio.ErrBufferFull)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = l.reader.ReadSlice('\n')
		l.size += int64(len(line))
	}
	if long && (err == nil || errors.Is(err, io.EOF)) {
		return nil, errLongLine
	}
	return bytes.TrimSpace(line), err
}
