/** Messages between the primary and a child about the child itself. */
export type ToPrimary = { kind: 'ready'; ports: { port: number; appsPort: number } };
/**
 * `go`: the database is open and migrated. `greet`: everything runs, so print the greeting and any first credentials.
 */
export type ToChild = { kind: 'go' } | { kind: 'greet'; processes: Processes } | { kind: 'stop' };

/** How many processes answer requests, and whether another one does background work. */
export type Processes = { requests: number; background: boolean };
