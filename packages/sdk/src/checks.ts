import type { ChecksResource } from './generated/resources.ts';
import type { CheckRun, LogEntry } from './generated/types.ts';
import { followLog, type LogOptions } from './logs.ts';
import { pathOf } from './operation.ts';
import type { Transport } from './transport.ts';

/** A check, or only its ids. */
export type CheckIds = Pick<CheckRun, 'project_id' | 'id'>;

export interface Checks extends ChecksResource {
  /**
   * The log, line by line as it is written, until the check is completed. If the connection is lost, the next one
   * continues after the last line, so that no line is missing or repeated. The generator returns the conclusion.
   */
  followLogs(check: CheckIds, options?: LogOptions): AsyncGenerator<LogEntry, CheckRun['conclusion']>;
}

export const withLogs = (transport: Transport, checks: ChecksResource): Checks => ({
  ...checks,
  async *followLogs({ project_id, id }, options) {
    const { path } = pathOf('GET /projects/{project_id}/checks/{check_id}/logs', [project_id, id]);
    return (yield* followLog<Pick<CheckRun, 'conclusion'>>(transport, path, options)).conclusion;
  },
});
