import { type CheckAnnotation, type CheckRun, type LogEntry, routes } from '@bottega/contract';
import { Type } from 'typebox';
import type { Api } from './api.ts';
import { lineOf } from './lists.ts';
import { asRefusal, hasFailed, jsonOf, listed, maxBytes, type Result } from './results.ts';
import { defineTool, limit, projectId } from './tool.ts';

const linesAtOnce = 500;

export const readCheck = defineTool({
  name: 'read_check',
  title: 'Read a check',
  description:
    'Returns a check, its annotations (what it says about lines of files), and the end of its log. ' +
    'With `after`, returns only the log after that line.',
  route: routes.readCheckRun,
  input: Type.Object({
    project_id: projectId,
    check_id: Type.String({ maxLength: 64, description: 'chk_…' }),
    from_annotation: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    after: routes.readCheckLogs.query.properties.after,
    limit: limit(2000, linesAtOnce),
  }),
  async run({ api }, { from_annotation = 0, after, limit: max = linesAtOnce, ...params }) {
    const answers = [
      await api(routes.readCheckRun, { params }),
      await api(routes.listCheckAnnotations, { params }),
    ] as const;
    const failed = answers.find(hasFailed);
    if (failed) return asRefusal(failed);
    const [run, { data }] = answers.map(jsonOf) as [CheckRun, { data: CheckAnnotation[] }];
    const log = await logOf(api, params, { after, ...(after !== undefined && { limit: max }) });
    if (after !== undefined) return later(log, max);
    return whole({ run, annotations: data.slice(from_annotation), log }, { from_annotation, max });
  },
});

/**
 * Reads the log of a check. Empty for a check of another system, which has no log here, and for callers who are not
 * members of the project.
 */
async function logOf(api: Api, params: Record<string, string>, query: Record<string, unknown>): Promise<LogEntry[]> {
  const answer = await api(routes.readCheckLogs, { params, query });
  return hasFailed(answer) ? [] : (jsonOf(answer) as { logs: LogEntry[] }).logs;
}

const logLine = ({ seq, level, message }: LogEntry): string => `${seq} ${level} ${message}`;

function later(logs: LogEntry[], max: number): Result {
  const next = (shown: number) => {
    const isAll = shown === logs.length && logs.length < max;
    return isAll ? null : { after: logs[shown - 1]?.seq };
  };
  return listed({ about: `${logs.length} lines: number, level, text.`, lines: logs.map(logLine), next });
}

type Read = { run: CheckRun; annotations: CheckAnnotation[]; log: LogEntry[] };

/** Shows what the check reports first. The end of the log fills the remaining space. */
function whole(
  { run, annotations, log }: Read,
  { from_annotation, max }: { from_annotation: number; max: number },
): Result {
  const said = [lineOf(run), ...annotations.map(lineOf)];
  const end = endThatFits(log.slice(-max).map(logLine), maxBytes - bytesOf(said));
  const about = `Check ${run.id}: the check, ${annotations.length} annotations, and the last ${end.length} of ${log.length} lines of its log (all with after: 0).`;
  const next = (shown: number) => (shown < said.length ? { from_annotation: from_annotation + shown - 1 } : null);
  return listed({ about, lines: [...said, ...end], next });
}

const bytesOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);

function endThatFits(lines: readonly string[], bytes: number): string[] {
  let left = bytes;
  const first = lines.findLastIndex((line) => {
    left -= Buffer.byteLength(line) + 1;
    return left < 0;
  });
  return lines.slice(first + 1);
}
