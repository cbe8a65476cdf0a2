package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// maxPasswordLine bounds what is read for one; the rules of passwords are stricter.
const maxPasswordLine = 4096

// askPassword asks twice without echo at a terminal. Anything else that is standard input holds the password in its first line.
func (p *program) askPassword() (string, error) {
	if file, isFile := p.stdin.(*os.File); isFile && term.IsTerminal(int(file.Fd())) {
		return p.askPasswordAt(file)
	}
	line, err := bufio.NewReader(io.LimitReader(p.stdin, maxPasswordLine)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the password from standard input: %w", err)
	}
	password := strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
	if password == "" {
		return "", badInput("there is no password on standard input: give it as one line")
	}
	return password, nil
}

func (p *program) askPasswordAt(terminal *os.File) (string, error) {
	var typed [2]string
	for i, prompt := range []string{"password: ", "password again: "} {
		fmt.Fprint(p.stderr, prompt)
		text, err := term.ReadPassword(int(terminal.Fd()))
		fmt.Fprintln(p.stderr)
		if err != nil {
			return "", fmt.Errorf("read the password: %w", err)
		}
		typed[i] = string(text)
	}
	if typed[0] != typed[1] {
		return "", badInput("the two passwords differ: nothing was changed")
	}
	return typed[0], nil
}
