package main

import (
	"net/url"
	"time"

	"github.com/urfave/cli/v3"

	"daybook/store"
	"daybook/store/gateway"
	"daybook/store/gateway/simulator"
	"daybook/store/gateway/stripe"
	"daybook/store/inbox"
	"daybook/web"
)

// processor is where a server moves money: the gateway, and the readers of what it sends by itself, by the name that its path ends with. The zero
// processor moves none.
type processor struct {
	gateway   gateway.Gateway
	webhooks  map[string]inbox.Webhook
	simulator web.Simulator // where that is the gateway
}

// processors make the gateway of each name that --gateway can have.
var processors = map[string]func(*cli.Command) (processor, error){
	"":             func(*cli.Command) (processor, error) { return processor{}, nil },
	simulator.Name: simulatorOf,
	stripe.Name:    stripeOf,
}

const (
	settingGateway         = "gateway"
	settingGatewayTimeout  = "gateway-timeout"
	settingSimulatorURL    = "simulator-url"
	settingSimulatorSecret = "simulator-secret"
	settingStripeKey       = "stripe-key"
	settingStripeURL       = "stripe-url"
	settingStripeSecret    = "stripe-webhook-secret"
	settingStripeMethod    = "stripe-payment-method"
)

// gatewayFlags say at which gateway payments are made.
func (p *program) gatewayFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: settingGateway, Sources: p.from("DAYBOOK_GATEWAY"), Usage: "make payments at this gateway: simulator or stripe; without it, none are made"},
		&cli.StringFlag{Name: settingSimulatorURL, Sources: p.from("DAYBOOK_SIMULATOR_URL"), Usage: "where the payment simulator is"},
		&cli.StringFlag{Name: settingSimulatorSecret, Sources: p.from("DAYBOOK_SIMULATOR_SECRET"),
			Usage: "what the simulator signs its webhooks with; without it, none are taken"},
		&cli.StringFlag{Name: settingStripeKey, Sources: p.from("DAYBOOK_STRIPE_KEY"), Usage: "the secret key of the account at Stripe; better set as DAYBOOK_STRIPE_KEY"},
		&cli.StringFlag{Name: settingStripeURL, Sources: p.from("DAYBOOK_STRIPE_URL"), Usage: "ask this server instead of Stripe, such as stripe-mock"},
		&cli.StringFlag{Name: settingStripeSecret, Sources: p.from("DAYBOOK_STRIPE_WEBHOOK_SECRET"), Usage: "what Stripe signs its webhooks with; without it, none are taken"},
		&cli.StringFlag{Name: settingStripeMethod, Sources: p.from("DAYBOOK_STRIPE_PAYMENT_METHOD"),
			Usage: "charge this payment method; without it, Stripe's card for tests, and nothing with a live key"},
		p.gatewayTimeoutFlag(),
	}
}

func (p *program) gatewayTimeoutFlag() cli.Flag {
	return &cli.DurationFlag{Name: settingGatewayTimeout, Sources: p.from("DAYBOOK_GATEWAY_TIMEOUT"), Value: 10 * time.Second,
		Usage: "wait this long for each answer of the gateway; what it did is unknown then, until it is asked again",
		Validator: func(d time.Duration) error {
			if d <= 0 {
				return badInput("must be more than 0")
			}
			return nil
		}}
}

// processorOf reads the flags of gatewayFlags.
func processorOf(c *cli.Command) (processor, error) {
	make, known := processors[c.String(settingGateway)]
	if !known {
		return processor{}, badInput("--%s: there is no gateway %q", settingGateway, c.String(settingGateway))
	}
	return make(c)
}

func simulatorOf(c *cli.Command) (processor, error) {
	where, err := url.Parse(c.String(settingSimulatorURL))
	if err != nil || where.Scheme != "http" && where.Scheme != "https" || where.Host == "" {
		return processor{}, badInput("--%s simulator needs --%s: give the URL that `daybook simulator` prints", settingGateway, settingSimulatorURL)
	}
	return simulatorAt(where.String(), c.String(settingSimulatorSecret), c.Duration(settingGatewayTimeout)), nil
}

// simulatorAt is the simulator at a URL. Without a secret its webhooks are refused.
func simulatorAt(url, secret string, timeout time.Duration) processor {
	client := simulator.NewClient(url, timeout)
	return processor{
		gateway: client, simulator: client,
		webhooks: map[string]inbox.Webhook{simulator.Name: simulator.NewWebhook(secret, clock)},
	}
}

func stripeOf(c *cli.Command) (processor, error) {
	made, err := stripe.New(stripe.Config{
		Key: c.String(settingStripeKey), BaseURL: c.String(settingStripeURL), PaymentMethod: c.String(settingStripeMethod),
		WebhookSecret: c.String(settingStripeSecret), Timeout: c.Duration(settingGatewayTimeout), Now: clock,
	})
	if err != nil {
		return processor{}, err
	}
	return processor{gateway: made, webhooks: map[string]inbox.Webhook{stripe.Name: made.Webhook()}}, nil
}

// options are how a store differs that moves money here.
func (p processor) options() []store.Option {
	if p.gateway == nil {
		return nil
	}
	return []store.Option{store.WithGateway(p.gateway)}
}
