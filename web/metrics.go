package web

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"daybook/store"
	"daybook/store/ledger"
)

// metrics is what Prometheus reads at /metrics: the requests by route and status, the connections to the database, the messages that are not applied,
// and the process itself.
type metrics struct {
	registry *prometheus.Registry
	seconds  *prometheus.HistogramVec
	running  prometheus.Gauge
}

func newMetrics(books *store.Store) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "daybook_http_request_duration_seconds", Help: "Time to answer a request, by method, route and status.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"method", "route", "status"}),
		running: prometheus.NewGauge(prometheus.GaugeOpts{Name: "daybook_http_requests_running", Help: "Requests that are being answered."}),
	}
	m.registry.MustRegister(m.seconds, m.running, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.registry.MustRegister(poolMetrics(books)...)
	m.registry.MustRegister(inboxMetrics{books, prometheus.NewDesc("daybook_inbox_messages", "Messages of other systems that are not applied, by state.", []string{"state"}, nil)})
	return m
}

// measure times every request. The route is that of the table of routes, so that there are no more series than routes.
func (s *server) measure(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		s.metrics.running.Inc()
		defer s.metrics.running.Dec()
		start := s.Now()
		if err := next(c); err != nil {
			return err
		}
		route := c.Path()
		if route == "" {
			route = "none"
		}
		s.metrics.seconds.WithLabelValues(methodName(c.Request().Method), route, strconv.Itoa(c.Response().Status)).Observe(s.Now().Sub(start).Seconds())
		return nil
	}
}

// methodName keeps to the methods that there are: anyone can send another.
func methodName(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut:
		return method
	default:
		return "other"
	}
}

// showMetrics answers machines of the own network. To others there is nothing: the figures are about the house, not for its visitors.
func (s *server) showMetrics(c echo.Context) error {
	if ip := net.ParseIP(c.RealIP()); ip == nil || !ip.IsLoopback() && !ip.IsPrivate() {
		return ledger.Refuse(ledger.KindNotFound, "there is nothing at this address")
	}
	promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{}).ServeHTTP(c.Response(), c.Request())
	return nil
}

// poolMetrics tell how busy the connections to the database are.
func poolMetrics(books *store.Store) []prometheus.Collector {
	return []prometheus.Collector{
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "daybook_database_connections_in_use", Help: "Connections to the database that work."},
			func() float64 { return float64(books.Pool().InUse) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "daybook_database_connections_idle", Help: "Connections to the database that wait for work."},
			func() float64 { return float64(books.Pool().Idle) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "daybook_database_waits_total", Help: "How often a request waited for a connection."},
			func() float64 { return float64(books.Pool().WaitCount) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "daybook_database_wait_seconds_total", Help: "How long requests waited for a connection."},
			func() float64 { return books.Pool().WaitDuration.Seconds() }),
	}
}

// inboxMetrics count the messages that are not applied when they are asked for, so that all servers say the same.
type inboxMetrics struct {
	books *store.Store
	desc  *prometheus.Desc
}

// inboxLimit bounds the counting; without an answer the figures are left out.
const inboxLimit = 2 * time.Second

// Describe is part of prometheus.Collector.
func (m inboxMetrics) Describe(descs chan<- *prometheus.Desc) { descs <- m.desc }

// Collect is part of prometheus.Collector.
func (m inboxMetrics) Collect(metrics chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), inboxLimit)
	defer cancel()
	counts, err := m.books.InboxUnapplied(ctx)
	if err != nil {
		return
	}
	for _, state := range []store.InboxState{store.InboxWaiting, store.InboxFailed, store.InboxParked, store.InboxDismissed} {
		metrics <- prometheus.MustNewConstMetric(m.desc, prometheus.GaugeValue, float64(counts[state]), string(state))
	}
}
