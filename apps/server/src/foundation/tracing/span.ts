import { channel } from 'node:diagnostics_channel';

/**
 * One piece of work, as it is announced for tracing. It never contains statement values, bodies, queries, credentials
 * or addresses.
 */
export type Span = {
  name: string;
  kind?: 'server' | 'client' | 'consumer';
  /** Can be extended until the work has ended. */
  attributes: Record<string, string | number | boolean | null | undefined>;
  /** Starts a trace. Without it, the span is part of the work around it. If there is none, the span is not recorded. */
  begins?: Beginning;
  /** One word that says why the work failed, if it did not throw. */
  failure?: string;
  /** Set while it is traced: the W3C reference to this span. */
  traceparent?: string;
};

export type Beginning =
  /**
   * `isPassedOn` is set if another node has started the trace. `traceparent` is the caller's reference to its own
   * trace.
   */
  | { request: string; isPassedOn: boolean; traceparent?: string }
  /** The stored id of the request that caused it. */
  | { causedBy: string | null };

/**
 * The channel on which spans are announced, as in Node's own modules. So no part of the service needs a tracer, and
 * without a listener a span costs only one check.
 */
export const begunSpans = channel('bottega:span:begun');
export const endedSpans = channel('bottega:span:ended');

export const isTraced = (): boolean => begunSpans.hasSubscribers;

export function span<Result>(told: Span, work: () => Promise<Result>): Promise<Result> {
  if (!isTraced()) return work();
  return begunSpans.runStores(told, async () => {
    try {
      return await work();
    } catch (error) {
      told.failure ??= kindOf(error);
      throw error;
    } finally {
      endedSpans.publish(told);
    }
  });
}

/** A code or a name of the error. Never its message, which may contain values. */
function kindOf(error: unknown): string {
  const { type, code, name } = error as { type?: unknown; code?: unknown; name?: unknown };
  return String(type ?? code ?? name ?? 'error');
}
