package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"daybook/cmd/daybook/bench"
	"daybook/store"
)

// benchServerCommandName is the first argument with which the bench runs the program beside itself, as the server that is measured.
const benchServerCommandName = "serve-bench"

// benchServer is what the bench tells its server on standard input. The server runs until that ends.
type benchServer struct {
	DatabaseURL string `json:"database_url"`
	Writer      string `json:"writer"`
}

// benchServerCommand is how the bench runs the program beside itself; nobody else calls it. It serves as serve does.
func benchServerCommand(p *program) *cli.Command {
	return &cli.Command{Name: benchServerCommandName, Hidden: true, Action: p.serveBench}
}

func (p *program) serveBench(ctx context.Context, c *cli.Command) error {
	var order benchServer
	if err := json.NewDecoder(p.stdin).Decode(&order); err != nil || order.DatabaseURL == "" {
		return badInput("%s is for daybook bench: use daybook serve", benchServerCommandName)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, p.stdin)
		stop()
	}()
	listener, err := listen(ctx, "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	config := siteConfig{databaseURL: order.DatabaseURL, waitLimit: 10 * time.Second, log: p.log}
	if order.Writer == bench.GORM {
		config.options = []store.Option{store.WithPlainWriter()}
	}
	site, err := openSite(ctx, config)
	if err != nil {
		return err
	}
	defer p.closeSite(site)
	fmt.Fprintf(p.stdout, "ready: %s\n", listener.Addr())
	return serveUntil(ctx, listener, site.handler, nil)
}

// startBenchServer runs a server in a process of its own and returns when it is ready. What it logs is not kept.
func startBenchServer(ctx context.Context, order benchServer) (bench.Server, error) {
	executable, err := os.Executable()
	if err != nil {
		return bench.Server{}, fmt.Errorf("find this program to run it as a server: %w", err)
	}
	process := exec.Command(executable, benchServerCommandName)
	orders, ordersErr := process.StdinPipe()
	output, outputErr := process.StdoutPipe()
	if err := errors.Join(ordersErr, outputErr); err != nil {
		return bench.Server{}, err
	}
	if err := process.Start(); err != nil {
		return bench.Server{}, fmt.Errorf("start a server: %w", err)
	}
	stop := func() error {
		orders.Close()
		return process.Wait()
	}
	unhook := context.AfterFunc(ctx, func() { orders.Close() })
	defer unhook()
	if err := json.NewEncoder(orders).Encode(order); err != nil {
		return bench.Server{}, errors.Join(err, stop())
	}
	line, _ := bufio.NewReader(output).ReadString('\n')
	_, address, ready := strings.Cut(strings.TrimSpace(line), "ready: ")
	if _, _, err := net.SplitHostPort(address); !ready || err != nil {
		return bench.Server{}, errors.Join(errors.New("the server that is to be measured did not start"), stop())
	}
	return bench.Server{Address: address, Process: process.Process.Pid, Stop: stop}, nil
}
