/** What the primary and a child say to each other about the child itself. */
export type ToPrimary = { kind: 'ready'; ports: { port: number; appsPort: number } };
/** `greet`: everything runs; the terminal is told, with the first credentials where there are any. */
export type ToChild = { kind: 'greet' } | { kind: 'stop' };
