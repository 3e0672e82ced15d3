import { channel } from 'node:diagnostics_channel';

/**
 * One piece of work, as it is announced for tracing. It never contains statement values, bodies, queries, credentials
 * or addresses.
 */
export type Span = {
  name: string;
  kind?: 'server' | 'client' | 'consumer';
  /** Attributes can be added until the work has ended. */
  attributes: Record<string, string | number | boolean | null | undefined>;
  /**
   * If set, the span begins a trace. Otherwise, the span is part of the span around it, and is not recorded if there is
   * none.
   */
  begins?: Beginning;
  /** One word that says why the work failed, if it did not throw. */
  failure?: string;
  /** The W3C reference to this span. It is set while the span is recorded. */
  traceparent?: string;
};

export type Beginning =
  /**
   * `isPassedOn` is set if another node has started the trace. `traceparent` is the caller's reference to its own
   * trace.
   */
  | { request: string; isPassedOn: boolean; traceparent?: string }
  /** `causedBy` is the stored id of the request that caused the work. */
  | { causedBy: string | null };

/**
 * The channels on which spans are announced. Node's own modules announce their work in the same way. So no part of the
 * service needs a tracer, and if nobody listens, a span costs only one check.
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
