import { channel } from 'node:diagnostics_channel';

/**
 * One piece of work, as it is told to whoever traces. Never in it: the values of a statement, bodies, queries, credentials,
 * addresses.
 */
export type Span = {
  name: string;
  kind?: 'server' | 'client' | 'consumer';
  /** May be added to until the work has ended. */
  attributes: Record<string, string | number | boolean | null | undefined>;
  /** It begins a trace. Without this it is a part of the work around it, and where there is none it is not told of. */
  begins?: Beginning;
  /** In a word, why the work ended badly, where it did not throw. */
  failure?: string;
  /** Set while it is traced: how others refer to it, in the words of the W3C. */
  traceparent?: string;
};

export type Beginning =
  /** `isPassedOn`: another node has begun the trace. `traceparent`: what the caller says of a trace of theirs. */
  | { request: string; isPassedOn: boolean; traceparent?: string }
  /** The request that caused it, as it was stored. */
  | { causedBy: string | null };

/**
 * Whoever traces listens here, as Node's own parts have it: the doors of the service need not be handed a tracer, and while
 * nobody listens a span costs the question whether somebody does.
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

/** A code or a name. Never the message, which may have values in it. */
function kindOf(error: unknown): string {
  const { type, code, name } = error as { type?: unknown; code?: unknown; name?: unknown };
  return String(type ?? code ?? name ?? 'error');
}
