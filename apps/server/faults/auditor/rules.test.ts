import { describe, expect, test } from 'vitest';
import { hooks } from '../clients/index.ts';
import { openLedger } from '../clients/ledger.ts';
import { contentOf } from '../clients/writers.ts';
import type { Evidence, Told } from './evidence.ts';
import { rules } from './rules.ts';

const projectId = 'prj_1';
const [first, second] = ['/a.txt', '/b.txt'] as const;

const eventOf = (id: string, path: string): Told => ({
  id,
  event: 'file.created',
  data: { project: { id: projectId, name: 'Written' }, file: { path } },
});

/** Correct evidence: a project, a commit of two files after a file, an edit and a deployment. */
function sound(): Evidence {
  const ledger = openLedger();
  const happen = (...[kind, project, makes, id]: [...Parameters<typeof ledger.begin>, string]) =>
    ledger.acknowledge(ledger.begin(kind, project, makes), id);
  happen('create', null, ['Written'], projectId);
  happen('put', projectId, ['/0.txt'], 'sha-0');
  happen('commit', projectId, [first, second], 'sha-1');
  ledger.edits.push({ projectId, path: '/live.txt', token: '<Gil.1>', applied: true, durable: true });
  const created: Told = {
    id: 'evt_p',
    event: 'project.created',
    data: { project: { id: projectId, name: 'Written' } },
  };
  const events = [created, eventOf('evt_0', '/0.txt'), eventOf('evt_1', first), eventOf('evt_2', second)];
  const arrivals = Object.values(hooks).flatMap((path) =>
    events.map(({ id, event, data }) => ({ path, eventId: id, body: { event, delivery_attempt: 1, data } })),
  );
  const text = '<Gil.1>\nend\n';
  const files = new Map(['/0.txt', first, second].map((path) => [path, contentOf(path)] as const)).set(
    '/live.txt',
    text,
  );
  return {
    ...{ ledger, events, arrivals, rows: [], processes: [], logged: [] },
    projects: [{ id: projectId, name: 'Written' }],
    clones: [{ projectId, files, commits: new Set(['sha-0', 'sha-1']), fsck: '' }],
    texts: [{ projectId, path: '/live.txt', text }],
    deployments: [{ id: 'dep_1', status: 'success', error: null }],
  };
}

const broken = (evidence: Evidence): string[] =>
  Object.keys(rules).filter((name) => (rules[name]?.(evidence).length ?? 0) > 0);

/** Each entry breaks one thing, and has a word of the sentence that it violates. */
const spoilt: Record<string, [word: string, spoil: (evidence: Evidence) => void]> = {
  'a commit that is gone': ['history', ({ clones }) => clones[0]?.commits.delete('sha-1')],
  'a file that is gone': ['as it was sent', ({ clones }) => clones[0]?.files.delete('/0.txt')],
  'a file with another content': ['as it was sent', ({ clones }) => clones[0]?.files.set(first, 'other')],
  'half of a commit': ['as a whole', ({ clones }) => clones[0]?.files.delete(second)],
  'a file of nobody': ['nobody wrote', ({ clones }) => clones[0]?.files.set('/strange.txt', '')],
  'a damaged clone': ['git finds', ({ clones }) => clones.push({ ...emptyClone, fsck: 'missing blob' })],
  'a project that is gone': ['acknowledged project', ({ projects }) => projects.pop()],
  'a project that is there twice': [
    'acknowledged project',
    ({ projects }) => projects.push({ id: 'x', name: 'Written' }),
  ],
  'a change without an event': ['has its event', ({ events }) => events.splice(1, 1)],
  'a change that is told twice': ['has its event', ({ events }) => events.push(eventOf('evt_9', first))],
  'an event of what did not happen': ['has its event', ({ events }) => events.push(eventOf('evt_9', '/none.txt'))],
  'an event that has not arrived': ['has arrived', (evidence) => drop(evidence, hooks.any, 'evt_1')],
  'something that arrived and is no event': ['has arrived', ({ events }) => events.splice(0, 1)],
  'a wrong order': ['later arrives later', (evidence) => putLast(evidence, 'evt_0')],
  'a durable edit that is gone': ['durable edit', (evidence) => setText(evidence, 'end\n')],
  'an edit that is there twice': ['durable edit', (evidence) => setText(evidence, '<Gil.1>\n<Gil.1>\nend\n')],
  'a line that nobody typed': ['durable edit', (evidence) => setText(evidence, '<Gil.1>\nstrange\nend\n')],
  'a text that is not saved': ['what its file holds', ({ clones }) => clones[0]?.files.set('/live.txt', 'end\n')],
  'a deployment that goes on': ['has ended', ({ deployments }) => deployments.push({ ...ended, status: 'building' })],
  'a deployment that failed': ['not its own', ({ deployments }) => deployments.push({ ...ended, status: 'failed' })],
  'a process that is left': ['process of a build', ({ processes }) => processes.push('sh')],
  'an error in a log': ['logs an error', ({ logged }) => logged.push('{"level":"error"}')],
  'a 500': ['every refusal', ({ ledger }) => ledger.wrongAnswers.push({ what: 'PUT', status: 500, text: '' })],
};

const emptyClone = { projectId: 'prj_2', files: new Map<string, string>(), commits: new Set<string>() };
const ended = { id: 'dep_2', error: null };

function drop(evidence: Evidence, path: string, id: string): void {
  evidence.arrivals = evidence.arrivals.filter((one) => one.path !== path || one.eventId !== id);
}

function putLast(evidence: Evidence, id: string): void {
  const isIt = (one: { eventId: string }) => one.eventId === id;
  evidence.arrivals = [...evidence.arrivals.filter((one) => !isIt(one)), ...evidence.arrivals.filter(isIt)];
}

function setText(evidence: Evidence, text: string): void {
  for (const one of evidence.texts) one.text = text;
  evidence.clones[0]?.files.set('/live.txt', text);
}

describe('the auditor', () => {
  test('reports nothing when all is well', () => expect(broken(sound())).toEqual([]));

  test.each(Object.entries(spoilt))('notices %s', (_what, [word, spoil]) => {
    const evidence = sound();
    spoil(evidence);
    expect(broken(evidence)).toContainEqual(expect.stringContaining(word));
  });
});
