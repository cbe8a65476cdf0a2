FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags=-s -o /daybook ./cmd/daybook

FROM debian:12-slim
RUN useradd --system --home-dir /nonexistent daybook
COPY --from=build /daybook /usr/local/bin/daybook
USER daybook
ENV DAYBOOK_ADDR=0.0.0.0:8080
EXPOSE 8080
ENTRYPOINT ["daybook"]
CMD ["serve"]
