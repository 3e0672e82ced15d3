/** One thing that a client attempted, from the first request on. */
export type Attempt = {
  kind: Kind;
  projectId: string | null;
  /** What it creates: paths of files, or the name of a project. No other attempt uses these. */
  makes: string[];
  startedAt: number;
  /** Null: the outcome is unknown. */
  acknowledgedAt: number | null;
  /** The id in the acknowledgement: a commit, a project, a deployment. */
  id: string | null;
};

export type Kind = 'put' | 'commit' | 'push' | 'merge' | 'create' | 'deployment';

/** One token that an editor typed into a live text. */
export type Edit = { projectId: string; path: string; token: string; applied: boolean; durable: boolean };

/** An answer that is neither a success nor a correct refusal during a fault. */
export type WrongAnswer = { what: string; status: number | string; text: string };

export type Ledger = {
  attempts: Attempt[];
  edits: Edit[];
  wrongAnswers: WrongAnswer[];
  /** Violations that clients saw themselves, such as a durable edit that is not in a text. */
  broken: string[];
  /** Number of refusals by kind, for the report. */
  refusals: Map<string, number>;
  begin(kind: Kind, projectId: string | null, makes: string[]): Attempt;
  acknowledge(attempt: Attempt, id: string): void;
  refused(what: string): void;
};

/** Records everything that clients sent and received, for the auditor. */
export function openLedger(): Ledger {
  const ledger: Ledger = {
    attempts: [],
    edits: [],
    wrongAnswers: [],
    broken: [],
    refusals: new Map(),
    begin(kind, projectId, makes) {
      const attempt = { kind, projectId, makes, startedAt: performance.now(), acknowledgedAt: null, id: null };
      ledger.attempts.push(attempt);
      return attempt;
    },
    acknowledge(attempt, id) {
      attempt.acknowledgedAt = performance.now();
      attempt.id = id;
    },
    refused(what) {
      ledger.refusals.set(what, (ledger.refusals.get(what) ?? 0) + 1);
    },
  };
  return ledger;
}
