package server

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// journal is a file of records, a JSON object a line. Without a file nothing is kept.
type journal struct {
	file   *os.File
	broken error // why nothing can be appended any more
}

// openJournal opens the file, or makes it, and applies its records. A last line without an end was never answered: it is dropped. Errors: a file
// that another simulator writes, or that holds something else.
func openJournal(path string, apply func(record) error) (*journal, error) {
	if path == "" {
		return &journal{}, nil
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the journal of the simulator: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("the journal %s is in use by another simulator", path), file.Close())
	}
	whole, err := replay(file, apply)
	if err == nil {
		err = file.Truncate(whole)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read the journal %s: %w", path, err), file.Close())
	}
	return &journal{file: file}, nil
}

// replay applies the lines that have an end, and gives how many bytes they are.
func replay(file io.Reader, apply func(record) error) (whole int64, err error) {
	lines := bufio.NewReader(file)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return whole, nil
		}
		if err != nil {
			return whole, err
		}
		var r record
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&r); err != nil {
			return whole, fmt.Errorf("it holds a line that is none of a simulator's: %w", err)
		}
		if err := apply(r); err != nil {
			return whole, err
		}
		whole += int64(len(line))
	}
}

// append returns when the file has the record, which then survives the end of this process. After a failure nothing is appended any more: what
// follows half a line could not be read.
func (j *journal) append(r record) error {
	if j.broken != nil || j.file == nil {
		return j.broken
	}
	line, err := json.Marshal(r)
	if err == nil {
		_, err = j.file.Write(append(line, '\n'))
	}
	j.broken = err
	return err
}

// close lets another simulator have the journal.
func (j *journal) close() error {
	j.broken = errors.New("the simulator has ended")
	if j.file == nil {
		return nil
	}
	err := j.file.Close()
	j.file = nil
	return err
}
