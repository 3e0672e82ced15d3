import type { CheckRun } from '@bottega/sdk';
import { pushLocalFiles } from '../checks/local-commit.ts';
import { type Annotated, checkInWords, hasFailed, withAnnotations } from '../checks/shown.ts';
import { askUntil } from '../checks/waiting.ts';
import type { Context } from '../context.ts';
import { gather } from '../project/gather.ts';
import { Failure } from '../terminal/failure.ts';
import { printable } from '../terminal/text.ts';
import { type Project, projectFor } from '../workspace/find-workspace.ts';

type RunOptions = { ref?: string; wait: boolean };

export async function runChecks(context: Context, names: string[], { ref, wait }: RunOptions): Promise<void> {
  const project = await projectFor(context);
  const { connection, projectId, output, io } = project;
  const wanted = { ref: ref ?? (await pushLocalFiles(project)), ...(names.length > 0 && { names }) };
  const begun = await connection.client.checks.run(projectId, wanted, { signal: io.signal });
  const all = begun.data.map(({ name }) => printable(name)).join(', ');
  output.note(all === '' ? 'bottega.json has no checks.' : `Checking ${begun.sha.slice(0, 7)}: ${all}`);
  const ended = wait ? await waitForAll(project, begun) : await annotated(project, begun.data);
  const result = { ...begun, ...(wait && { state: stateOfAll(ended) }), data: ended };
  if (output.isJson) output.result(result, () => '');
  else if (!wait) for (const run of ended) output.line(run, () => checkInWords(run, output.colours, widthOf(ended)));
  if (wait) failIfOneFailed(ended);
}

const widthOf = (runs: readonly CheckRun[]): number => Math.max(0, ...runs.map(({ name }) => name.length));

const annotated = (project: Project, runs: readonly CheckRun[]): Promise<Annotated[]> =>
  Promise.all(runs.map((run) => withAnnotations(project, run)));

const stateOfAll = (runs: readonly CheckRun[]): string => {
  if (runs.some(hasFailed)) return 'failure';
  return runs.length === 0 ? 'none' : 'success';
};

/** Prints every check once it is completed. Returns all of them, in the order of bottega.json. */
async function waitForAll(
  project: Project,
  { sha, data }: { sha: string; data: readonly CheckRun[] },
): Promise<Annotated[]> {
  const { connection, projectId, output, io } = project;
  const ended = new Map<string, Annotated>();
  const tell = async (runs: readonly CheckRun[]): Promise<void> => {
    const now = new Map(runs.map((run) => [run.id, run]));
    for (const { id } of data) {
      const run = now.get(id);
      if (run?.status !== 'completed' || ended.has(id)) continue;
      const shown = await withAnnotations(project, run);
      ended.set(id, shown);
      if (!output.isJson) output.line(shown, () => checkInWords(shown, output.colours, widthOf(data)));
    }
  };
  await tell(data);
  const ask = async () => {
    const runs = connection.client.checks.list(projectId, { ref: sha, limit: 100 }, { signal: io.signal });
    await tell(await gather(runs));
  };
  if (ended.size < data.length) await askUntil(io, ask, () => ended.size === data.length);
  return data.flatMap(({ id }) => ended.get(id) ?? []);
}

function failIfOneFailed(runs: readonly CheckRun[]): void {
  const failed = runs.filter(hasFailed);
  const [first] = failed;
  if (!first) return;
  const names = failed.map(({ name }) => printable(name)).join(', ');
  const hint = first.source === 'project' ? `To read the log, run \`btg check view ${first.id} --log\`.` : undefined;
  throw new Failure('failed', `${failed.length} of ${runs.length} checks failed: ${names}.`, hint);
}
