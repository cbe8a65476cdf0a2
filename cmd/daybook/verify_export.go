package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"daybook/store"
)

// verifyExport prints a line about an export, and answers no when it is not what was sealed.
func (p *program) verifyExport(exportPath, sealPath, book string) error {
	seal, err := readSeal(sealPath)
	if err != nil {
		return err
	}
	if book != "" && book != seal.Book {
		return badInput("the seal %s is of book %s, not %s", sealPath, seal.Book, book)
	}
	export, err := os.Open(exportPath)
	if err != nil {
		return badInput("cannot read the export: %v", err)
	}
	defer export.Close()
	if info, err := export.Stat(); err != nil || !info.Mode().IsRegular() {
		return badInput("cannot read the export: %s is not a file; save it first", exportPath)
	}
	v, err := store.VerifyExport(export, seal)
	if err != nil {
		return err
	}
	if v.Fault != nil {
		fmt.Fprintln(p.stdout, v.Fault)
		return answerNo("the export is not what was sealed")
	}
	fmt.Fprintf(p.stdout, "book %s: %d entries, chain, sums and links hold; sealed at entry %d, head %d %s\n", seal.Book, v.Entries, seal.Seq, v.Head.Seq, v.Head.Hash)
	if later := v.Entries - seal.Seq; later > 0 {
		fmt.Fprintf(p.stdout, "the seal says nothing of the %d entries after it: a later seal does\n", later)
	}
	return nil
}

// readSeal reads a seal as daybook seal and the API write it, strictly.
func readSeal(path string) (seal store.Seal, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return seal, badInput("cannot read the seal: %v", err)
	}
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &seal); err != nil {
		return seal, badInput("cannot read the seal: %s is not one as daybook seal writes it", path)
	}
	if seal.Book == "" || seal.Seq < 0 || seal.At.IsZero() {
		return seal, badInput("cannot read the seal: %s lacks the book, the number or the time", path)
	}
	return seal, nil
}
