package main

import (
	"context"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/urfave/cli/v3"
)

func main() {
	// Every step of a stop has a limit. More signals do not shorten it: a process manager may well send two at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args, os.LookupEnv, os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the program without its process: tests call it with their own arguments, environment and streams.
func run(ctx context.Context, args []string, env environment, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{
		env:    env,
		stdin:  stdin,
		stdout: stdout,
		stderr: stderr,
		log:    slog.New(slog.NewJSONHandler(stderr, nil)),
	}
	return exitCode(p.root().Run(ctx, args), stderr)
}

// program holds what every command is given: its environment, its streams and its log.
type program struct {
	env            environment
	stdin          io.Reader
	stdout, stderr io.Writer
	log            *slog.Logger
}

// commands lists every command; each is made in the file of its name. One that takes arguments besides its flags says
// so in ArgsUsage; for any other an argument is a mistake.
func (p *program) commands() []*cli.Command {
	return []*cli.Command{
		demoCommand(p),
		serveCommand(p),
		migrateCommand(p),
		userCommand(p),
		tokenCommand(p),
		bookCommand(p),
		accountCommand(p),
		paymentsCommand(p),
		replayCommand(p),
		verifyCommand(p),
		exportCommand(p),
		sealCommand(p),
		totalsCommand(p),
		drillCommand(p),
		drillCallersCommand(p),
		simulatorCommand(p),
		reconcileCommand(p),
		statementCommand(p),
		benchCommand(p),
		benchServerCommand(p),
		reconcileRunCommand(p),
		superviseCommand(p),
	}
}

// root is the command that holds the others. The library would print help on every mistake and end the process by
// itself: here a mistake is an error like any other, and run alone decides the exit code.
func (p *program) root() *cli.Command {
	root := &cli.Command{
		Name:            "daybook",
		Usage:           "a double-entry journal for finance people, and its web dashboard",
		Commands:        p.commands(),
		HideHelpCommand: true,
		HideVersion:     true,
		Reader:          p.stdin,
		Writer:          p.stdout,
		ErrWriter:       p.stderr,
		ExitErrHandler:  func(context.Context, *cli.Command, error) {},
	}
	quieten(root)
	return root
}

func quieten(command *cli.Command) {
	command.OnUsageError = func(_ context.Context, _ *cli.Command, err error, _ bool) error { return err }
	if command.Action == nil {
		command.Action = chooseCommand
	}
	if len(command.Commands) == 0 && command.ArgsUsage == "" && !command.SkipFlagParsing {
		command.ArgValidator = refuseArguments
	}
	for _, c := range command.Commands {
		quieten(c)
	}
}

func refuseArguments(_ context.Context, c *cli.Command) error {
	if c.Args().Present() {
		return badInput("%s takes no %q: see %s --help", c.FullName(), c.Args().First(), c.FullName())
	}
	return nil
}

// chooseCommand stands for a command that only holds others, when none of them was named.
func chooseCommand(_ context.Context, c *cli.Command) error {
	if name := c.Args().First(); name != "" && name != "help" {
		return badInput("%s has no command %q: see %s --help", c.FullName(), name, c.FullName())
	}
	if c.Root() == c {
		return cli.ShowRootCommandHelp(c)
	}
	return cli.ShowSubcommandHelp(c)
}
