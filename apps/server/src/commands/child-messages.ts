/** What the primary and a child say to each other about the child itself. */
export type ToPrimary = { kind: 'ready'; ports: { port: number; appsPort: number } };
/** `go`: the database is open and up to date. `greet`: everything runs; the terminal is told, with the first credentials where there are any. */
export type ToChild = { kind: 'go' } | { kind: 'greet' } | { kind: 'stop' };
