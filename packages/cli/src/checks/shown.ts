import type { CheckAnnotation, CheckRun, RequestCheck } from '@bottega/sdk';
import { gather } from '../project/gather.ts';
import { type Colours, details, printable, table } from '../terminal/text.ts';
import type { Project } from '../workspace/find-workspace.ts';

/** A check with what it says about lines. */
export type Annotated = CheckRun & { annotations: CheckAnnotation[] };

export async function withAnnotations({ connection, projectId, io }: Project, run: CheckRun): Promise<Annotated> {
  const { checks } = connection.client;
  const hasSome = run.output.annotations_count > 0;
  const found = hasSome ? await gather(checks.annotations(projectId, run.id, { signal: io.signal })) : [];
  return { ...run, annotations: found };
}

const bad: readonly CheckRun['conclusion'][] = ['failure', 'cancelled', 'timed_out', 'action_required'];

/** Whether a check has ended in a way that must not be merged. */
export const hasFailed = ({ conclusion }: Pick<CheckRun, 'conclusion'>): boolean => bad.includes(conclusion);

/** The conclusion, or the status until there is one. */
export const stateOf = ({ status, conclusion }: Pick<CheckRun, 'status' | 'conclusion'>): string =>
  (conclusion ?? status).replaceAll('_', ' ');

/** One line for a check, and one for each annotation. */
export function checkInWords(run: Annotated, colours: Colours, width = run.name.length): string {
  const colour = hasFailed(run) ? colours.red : run.conclusion === 'success' ? colours.green : colours.dim;
  const title = run.output.title === '' ? '' : `  ${printable(run.output.title)}`;
  const head = `${printable(run.name).padEnd(width)}  ${colour(stateOf(run))}${title}`;
  return [head, ...run.annotations.map(annotationInWords)].join('\n');
}

/** An annotation in the form that compilers use, so that editors and terminals can open its place. */
export function annotationInWords({ path, start_line, annotation_level, title, message }: CheckAnnotation): string {
  const [first = '', ...rest] = message.trimEnd().split('\n');
  const what = title === '' || title === first ? first : `${title}: ${first}`;
  const place = `${path.replace(/^\//, '')}:${start_line}`;
  return [`${place}: ${annotation_level}: ${what}`, ...rest.map((line) => `    ${line}`)]
    .map((line) => printable(line))
    .join('\n');
}

/** A check as lines of names and values. */
export function runInWords(run: Annotated): string {
  const { id, name, output, command, needs, head_sha, tree_sha, attempt, details_url } = run;
  const head = details([
    ['check', id],
    ['name', name],
    ['state', stateOf(run)],
    ['title', output.title],
    ['command', command],
    ['needs', needs.join(', ')],
    ['commit', head_sha],
    ['tree', tree_sha],
    ['attempt', attempt > 1 ? `${attempt}` : null],
    ['took', tookInWords(run)],
    ['address', details_url],
  ]);
  const summary = output.summary
    .split('\n')
    .map((line) => printable(line))
    .join('\n');
  return [head, summary.trimEnd(), run.annotations.map(annotationInWords).join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

export function tookInWords({ started_at, completed_at }: Pick<CheckRun, 'started_at' | 'completed_at'>): string {
  if (started_at === null || completed_at === null) return '';
  return `${Math.max(0, Math.round((Date.parse(completed_at) - Date.parse(started_at)) / 1000))} s`;
}

/** The checks of a merge request. One that no system has reported yet has no run. */
export function requestChecksInWords(checks: readonly RequestCheck[], colours: Colours): string {
  const rows = checks.map(({ name, run, required, applies, changed }) => [
    name,
    run ? stateOf(run) : applies ? 'not reported' : 'does not apply',
    required ? 'required' : '',
    [run?.output.title ?? '', changed ? '(this request changes its definition)' : ''].filter(Boolean).join(' '),
  ]);
  return table(['CHECK', 'STATE', 'RULE', 'TITLE'], rows, colours);
}
