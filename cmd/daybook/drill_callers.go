package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"

	"github.com/urfave/cli/v3"

	"daybook/store"
	"daybook/store/claim"
	"daybook/store/drill"
	"daybook/store/postgres"
)

// drillCallersCommandName is the first argument with which a drill runs the program beside itself, for callers in a process of their own.
const drillCallersCommandName = "call-drill"

// drillOrder is what a drill tells its callers first on standard input.
type drillOrder struct {
	Book    drillBook   `json:"book"`
	Gateway string      `json:"gateway"`
	Callers int         `json:"callers"`
	Terms   claim.Terms `json:"terms"`
}

// drillRound is what it tells them then, a line a round; each is answered with a tally.
type drillRound struct {
	Way drill.Way `json:"way"`
	Key string    `json:"key"`
}

// drillCallersCommand is how a drill runs the program beside itself; nobody else calls it.
func drillCallersCommand(p *program) *cli.Command {
	return &cli.Command{Name: drillCallersCommandName, Hidden: true, Action: p.callDrill}
}

// callDrill charges a round for each line, until the lines end.
func (p *program) callDrill(ctx context.Context, _ *cli.Command) error {
	lines, answers := json.NewDecoder(p.stdin), json.NewEncoder(p.stdout)
	var order drillOrder
	if err := lines.Decode(&order); err != nil || order.Book.DatabaseURL == "" {
		return badInput("%s is for daybook drill: use that", drillCallersCommandName)
	}
	db, err := postgres.Open(ctx, order.Book.DatabaseURL)
	if err != nil {
		return err
	}
	books := store.New(db, clock)
	defer books.Close()
	actor, err := books.Actor(ctx, order.Book.UserID, order.Book.Code)
	if err != nil {
		return err
	}
	ledger, err := books.Claims(actor, store.RightPost, order.Terms)
	if err != nil {
		return err
	}
	crowd := drill.Here{Callers: order.Callers, Ledger: ledger, Gateway: newRemoteGateway(order.Gateway, order.Callers)}
	warmUp(ctx, ledger, order.Callers)
	if err := answers.Encode(drill.Tally{}); err != nil {
		return err
	}
	for {
		var round drillRound
		if err := lines.Decode(&round); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return badInput("a round of the drill cannot be read: %v", err)
		}
		tally, err := crowd.Charge(ctx, round.Way, round.Key)
		if err = errors.Join(err, answers.Encode(tally)); err != nil {
			return err
		}
	}
}

// warmUp opens the connections that the callers will need, so that none is late for the first round.
func warmUp(ctx context.Context, ledger *claim.Ledger, callers int) {
	var all sync.WaitGroup
	for range callers {
		all.Go(func() { _, _ = ledger.Find(ctx, "warm up") })
	}
	all.Wait()
}

// drillCallers is a crowd in a process of its own.
type drillCallers struct {
	process *exec.Cmd
	orders  io.WriteCloser
	answers *json.Decoder
}

// startDrillCallers starts the processes, with the callers spread over them, and returns when all are ready.
func startDrillCallers(ctx context.Context, order drillOrder, callers int) (crowds drill.Several, stop func() error, err error) {
	executable, err := os.Executable()
	if err != nil {
		return nil, nil, fmt.Errorf("find this program to run it as callers: %w", err)
	}
	stop = func() (err error) {
		for _, crowd := range crowds {
			err = errors.Join(err, crowd.(*drillCallers).stop())
		}
		return err
	}
	for i := range drillProcesses {
		order.Callers = (callers + i) / drillProcesses
		crowd, err := startDrillCaller(exec.CommandContext(ctx, executable, drillCallersCommandName), order)
		if err != nil {
			return nil, nil, errors.Join(err, stop())
		}
		crowds = append(crowds, crowd)
	}
	return crowds, stop, nil
}

// startDrillCaller starts one of them.
func startDrillCaller(process *exec.Cmd, order drillOrder) (*drillCallers, error) {
	orders, ordersErr := process.StdinPipe()
	output, outputErr := process.StdoutPipe()
	if err := errors.Join(ordersErr, outputErr); err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, fmt.Errorf("start callers: %w", err)
	}
	d := &drillCallers{process: process, orders: orders, answers: json.NewDecoder(bufio.NewReader(output))}
	var ready drill.Tally
	if err := errors.Join(json.NewEncoder(orders).Encode(order), d.answers.Decode(&ready)); err != nil {
		return nil, errors.Join(fmt.Errorf("the callers did not start: %w", err), d.stop())
	}
	return d, nil
}

// Charge is as drill.Crowd says.
func (d *drillCallers) Charge(_ context.Context, way drill.Way, key string) (tally drill.Tally, err error) {
	if err := json.NewEncoder(d.orders).Encode(drillRound{Way: way, Key: key}); err != nil {
		return tally, fmt.Errorf("tell the callers: %w", err)
	}
	if err := d.answers.Decode(&tally); err != nil {
		return tally, fmt.Errorf("hear from the callers: %w", err)
	}
	return tally, nil
}

// stop ends the process, which has nothing to finish.
func (d *drillCallers) stop() error {
	d.orders.Close()
	if err := d.process.Wait(); err != nil {
		return fmt.Errorf("the callers ended: %w", err)
	}
	return nil
}
