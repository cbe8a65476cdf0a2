package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

// jsonObject prints an object field by field, and a list in it item by item, so that a long one is never held as text.
type jsonObject struct {
	out     *bufio.Writer // keeps the first error
	value   bytes.Buffer
	encoder *json.Encoder
	comma   string
	err     error
}

func newJSONObject(out io.Writer) *jsonObject {
	o := &jsonObject{out: bufio.NewWriter(out)}
	o.encoder = json.NewEncoder(&o.value)
	o.encoder.SetEscapeHTML(false)
	o.print("{")
	return o
}

func (o *jsonObject) field(name string, value any) {
	o.name(name)
	o.encode(value)
}

// list prints n items, each in a line.
func (o *jsonObject) list(name string, n int, item func(int) any) {
	o.name(name)
	o.print("[")
	for i := range n {
		if i > 0 {
			o.print(",")
		}
		o.print("\n  ")
		o.encode(item(i))
	}
	if n > 0 {
		o.print("\n ")
	}
	o.print("]")
}

// close ends the object, and gives the first error of all that was printed.
func (o *jsonObject) close() error {
	o.print("\n}\n")
	if err := o.out.Flush(); err != nil {
		return err
	}
	return o.err
}

func (o *jsonObject) name(name string) {
	o.print(o.comma + "\n \"" + name + "\": ")
	o.comma = ","
}

func (o *jsonObject) encode(value any) {
	o.value.Reset()
	if err := o.encoder.Encode(value); err != nil && o.err == nil {
		o.err = err
	}
	_, _ = o.out.Write(bytes.TrimSuffix(o.value.Bytes(), []byte("\n")))
}

func (o *jsonObject) print(text string) { _, _ = o.out.WriteString(text) }
