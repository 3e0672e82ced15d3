import { hooks } from '../clients/index.ts';
import type { Attempt } from '../clients/ledger.ts';
import { contentOf } from '../clients/writers.ts';
import type { Evidence, Told } from './evidence.ts';

/** Returns descriptions of what breaks the rule. */
type Rule = (evidence: Evidence) => string[];

const written = new Set(['put', 'commit', 'push', 'merge']);
const paths = ({ ledger }: Evidence): Attempt[] => ledger.attempts.filter(({ kind }) => written.has(kind));
const acknowledged = (all: Attempt[]): Attempt[] => all.filter(({ id }) => id !== null);
const describe = ({ kind, makes, id }: Attempt): string => `${kind} ${makes[0]} (${id ?? 'without an answer'})`;
const cloneOf = ({ clones }: Evidence, projectId: string | null) => clones.find((one) => one.projectId === projectId);

export const rules: Record<string, Rule> = {
  'every acknowledged write is in the history of its project': (evidence) =>
    acknowledged(paths(evidence))
      .filter(({ projectId, id }) => !cloneOf(evidence, projectId)?.commits.has(id ?? ''))
      .map(describe),

  'every acknowledged write is in its files, as it was sent': (evidence) =>
    acknowledged(paths(evidence))
      .filter(({ projectId, makes }) => {
        const files = cloneOf(evidence, projectId)?.files;
        return makes.some((path) => files?.get(path) !== contentOf(path));
      })
      .map(describe),

  'a commit of several files is there as a whole or not at all': (evidence) =>
    paths(evidence)
      .filter(({ projectId, makes }) => {
        const files = cloneOf(evidence, projectId)?.files;
        return new Set(makes.map((path) => files?.has(path))).size > 1;
      })
      .map(describe),

  'no file is there that nobody wrote': (evidence) => {
    const known = knownPaths(evidence);
    return evidence.clones.flatMap(({ files }) => [...files.keys()].filter((path) => !known.has(path)));
  },

  'git finds nothing wrong with a clone': ({ clones }) =>
    clones.filter(({ fsck }) => fsck !== '').map(({ projectId, fsck }) => `${projectId}: ${fsck}`),

  'every acknowledged project is there, and each that was asked for is there once at most': ({ ledger, projects }) => {
    const ids = new Set(projects.map(({ id }) => id));
    const asked = new Set(ledger.attempts.filter(({ kind }) => kind === 'create').flatMap(({ makes }) => makes));
    const names = projects.map(({ name }) => name);
    const lost = ledger.attempts.filter(({ kind, id }) => kind === 'create' && id !== null && !ids.has(id));
    const twice = names.filter((name, index) => names.indexOf(name) !== index);
    return [
      ...lost.map(describe),
      ...twice.map((name) => `${name} is there twice`),
      ...names.filter((name) => !asked.has(name)).map((name) => `${name} was asked for by nobody`),
    ];
  },

  'every change has its event, once, and no event tells of what did not happen': (evidence) => {
    const told = countBy(evidence.events.filter(isCreation), subjectOf);
    const happened = new Set(
      evidence.clones.flatMap(({ projectId, files }) => [...files.keys()].map((path) => `${projectId} ${path}`)),
    );
    for (const { id } of evidence.projects) happened.add(id);
    const lost = acknowledged([...paths(evidence), ...evidence.ledger.attempts.filter(({ kind }) => kind === 'create')])
      .flatMap((one) => (one.kind === 'create' ? [one.id ?? ''] : one.makes.map((path) => `${one.projectId} ${path}`)))
      .filter((subject) => !told.has(subject));
    const wrong = [...told].filter(([subject, times]) => times > 1 || !isHere(subject, happened, evidence));
    return [
      ...lost.map((subject) => `no event tells of ${subject}`),
      ...wrong.map(([subject, times]) => `${times} events tell of ${subject}`),
    ];
  },

  'every event has arrived at every webhook, and nothing else has': ({ events, arrivals }) => {
    const wanted = events.filter(({ event }) => /^(file|project|deployment|build)\./.test(event));
    const known = new Set(events.map(({ id }) => id));
    return Object.values(hooks).flatMap((path) => {
      const here = new Set(arrivals.filter((one) => one.path === path).map(({ eventId }) => eventId));
      return [
        ...wanted.filter(({ id }) => !here.has(id)).map((one) => `${one.event} ${one.id} has not arrived at ${path}`),
        ...[...here].filter((id) => !known.has(id)).map((id) => `${id} arrived at ${path} and is no event`),
      ];
    });
  },

  'what happened later arrives later where a webhook wants the order': ({ ledger, arrivals }) => {
    const byPath = new Map(ledger.attempts.flatMap((one) => one.makes.map((path) => [path, one] as const)));
    const latestStart = new Map<string, number>();
    const seen = new Set<string>();
    return arrivals.flatMap(({ path, eventId, body }) => {
      const attempt = byPath.get((body.data as Told['data']).file?.path ?? '');
      if (path !== hooks.ordered || seen.has(eventId) || !attempt?.projectId) return [];
      seen.add(eventId);
      const latest = latestStart.get(attempt.projectId) ?? 0;
      latestStart.set(attempt.projectId, Math.max(latest, attempt.startedAt));
      const isLate = attempt.acknowledgedAt !== null && attempt.acknowledgedAt < latest;
      return isLate ? [`${describe(attempt)} arrived after what began when it was done`] : [];
    });
  },

  'every durable edit is in its text, once, and nothing that nobody typed': ({ ledger, texts }) =>
    texts.flatMap(({ path, text }) => {
      const lines = countBy(text.split('\n'), (line) => line);
      const typed = ledger.edits.filter((one) => one.path === path);
      const tokens = new Set(typed.map(({ token }) => token));
      return [
        ...typed.filter(({ durable, token }) => durable && !lines.has(token)).map(({ token }) => `${token} is lost`),
        ...[...lines]
          .filter(([line, times]) => tokens.has(line) && times > 1)
          .map(([line]) => `${line} is there twice`),
        ...[...lines.keys()]
          .filter((line) => !tokens.has(line) && line !== '' && line !== 'end')
          .map((line) => `${line}?`),
      ];
    }),

  'the text of a live file is what its file holds': (evidence) =>
    evidence.texts
      .filter(({ projectId, path, text }) => cloneOf(evidence, projectId)?.files.get(path) !== text)
      .map(({ path }) => path),

  'every deployment has ended': ({ deployments }) =>
    deployments
      .filter(({ status }) => !['success', 'failed', 'canceled'].includes(status))
      .map(({ id, status }) => `${id} is ${status}`),

  'no deployment has failed for a reason that is not its own': ({ deployments }) =>
    deployments
      .filter(({ status }) => status === 'failed')
      .map(({ id, error }) => `${id}: ${error?.type} ${error?.message}`),

  'no process of a build is left': ({ processes }) => processes,

  'no node logs an error but that it cannot serve': ({ logged }) => logged.map((line) => line.slice(0, 1_000)),

  'every refusal was a 503 that says when to come back': ({ ledger }) =>
    ledger.wrongAnswers.map(({ what, status, text }) => `${what}: ${status} ${text}`),

  'nobody saw something broken': ({ ledger }) => ledger.broken,
};

const isCreation = ({ event }: Told): boolean => event === 'file.created' || event === 'project.created';

const subjectOf = ({ event, data }: Told): string =>
  event === 'project.created' ? String(data.project?.id) : `${data.project?.id} ${data.file?.path}`;

/** For projects that were not cloned, only the attempt is known. */
function isHere(subject: string, happened: ReadonlySet<string>, evidence: Evidence): boolean {
  const [projectId = '', path] = subject.split(' ');
  if (path === undefined || cloneOf(evidence, projectId)) return happened.has(subject);
  return knownPaths(evidence).has(path);
}

const knownPaths = ({ ledger, texts }: Evidence): Set<string> =>
  new Set([...ledger.attempts.flatMap(({ makes }) => makes), ...texts.map(({ path }) => path), '/page.txt']);

function countBy<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
}
