import fc, { type Arbitrary } from 'fast-check';

/** A change to one path in the form of the commit endpoint. */
export type Change =
  | { action: 'create' | 'update'; path: string; content: string }
  | { action: 'delete'; path: string }
  | { action: 'move'; path: string; new_path: string };

export type Step =
  | { kind: 'put'; path: string; content: string }
  | { kind: 'delete' | 'move'; path: string; to: string }
  | { kind: 'commit'; changes: Change[] };

// Few names, so that steps collide. Some sort differently as a file and as a directory, some have many bytes.
const names = ['a', 'a.b', 'a-b', 'é', '🏛'];
const paths = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }).map((parts) => `/${parts.join('/')}`);
const contents = fc.constantFrom('', 'same\n', 'one\ntwo\n', 'é'.repeat(100), 'x'.repeat(40_000));

const changes: Arbitrary<Change> = fc.oneof(
  fc.record({ action: fc.constantFrom('create' as const, 'update' as const), path: paths, content: contents }),
  fc.record({ action: fc.constant('delete' as const), path: paths }),
  fc.record({ action: fc.constant('move' as const), path: paths, new_path: paths }),
);

export const steps: Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('put' as const), path: paths, content: contents }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), path: paths, to: paths }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), path: paths, to: paths }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('commit' as const),
      changes: fc.array(changes, { minLength: 1, maxLength: 3 }),
    }),
  },
);

/** The expected file. The id is unknown until the file is listed once, and must then stay. */
export type Expected = { content: string; id: string | null };
export type Model = Map<string, Expected>;

const above = (path: string): string[] =>
  path
    .split('/')
    .slice(1, -1)
    .map((_, index, parts) => `/${parts.slice(0, index + 1).join('/')}`);

export const directoriesOf = (model: Model): Set<string> => new Set([...model.keys()].flatMap(above));

const refusal = { conflict: 409, missing: 404 } as const;

/** Applies changes in order. A former directory blocks its path until the commit is made. */
function apply(model: Model, list: Change[]): number {
  const directories = directoriesOf(model);
  const place = (path: string, file: Expected): boolean => {
    if (model.has(path) || directories.has(path) || above(path).some((one) => model.has(one))) return false;
    model.set(path, file);
    for (const directory of above(path)) directories.add(directory);
    return true;
  };
  for (const change of list) {
    const { action, path } = change;
    const present = model.get(path);
    if (action === 'create') {
      if (!place(path, { content: change.content, id: null })) return refusal.conflict;
      continue;
    }
    if (!present) return refusal.missing;
    if (action === 'update') model.set(path, { ...present, content: change.content });
    else {
      if (action === 'move' && change.new_path === path) return refusal.conflict;
      model.delete(path);
      if (action === 'move' && !place(change.new_path, present)) return refusal.conflict;
    }
  }
  return 201;
}

/** The expected status of a step. The model changes if the step succeeds. */
export function expectStep(model: Model, step: Step): number {
  const next: Model = new Map(model);
  const status = applyStep(next, step);
  if (status < 300) {
    model.clear();
    for (const [path, file] of next) model.set(path, file);
  }
  return status;
}

function applyStep(model: Model, step: Step): number {
  if (step.kind === 'commit') {
    const wasEmpty = model.size === 0;
    const status = apply(model, step.changes);
    // Nothing changed, and there may be no commit to answer with. Only the history knows which it is.
    return status === 201 && wasEmpty && model.size === 0 ? Number.NaN : status;
  }
  const { path } = step;
  if (step.kind === 'put') {
    const action = model.has(path) ? 'update' : 'create';
    const status = apply(model, [{ action, path, content: step.content }]);
    return status === 201 && action === 'update' ? 200 : status;
  }
  const below = [...model.keys()].filter((one) => one.startsWith(`${path}/`));
  const all = model.has(path) ? [path] : below;
  if (all.length === 0) return refusal.missing;
  if (step.kind === 'delete') {
    for (const one of all) model.delete(one);
    return 204;
  }
  const { to } = step;
  const isDirectory = !model.has(path);
  const taken = model.has(to) || directoriesOf(model).has(to);
  if (isDirectory && (to === path || to.startsWith(`${path}/`) || taken)) return refusal.conflict;
  const moves = all.map((one): Change => ({ action: 'move', path: one, new_path: to + one.slice(path.length) }));
  const status = apply(model, moves);
  return status === 201 ? 200 : status;
}
