import { createProject, pathOf, put } from './file-load.ts';
import { measure, type Target } from './measure.ts';
import { type Row, row } from './report.ts';
import { send } from './send.ts';

type Context = { bottega: string; bare: string; key: string; seconds: number };

const many = 1_000;
const search = '/search?q=no%20file%20has%20this';

/** Work on a branch beside the same work on main, in a project of 10,000 files with 1,000 branches. */
export async function measureBranches(context: Context): Promise<Row[]> {
  const { bottega, key, seconds } = context;
  const project = await createProject(10_000, context);
  const headers = { authorization: `Bearer ${key}` };
  const branch = `b${many - 1}`;
  for (let n = 0; n < many; n++) await send(context, 'POST', `/projects/${project}/branches`, { name: `b${n}` });
  const directory = encodeURIComponent(pathOf(0).replace(/\/[^/]*$/, ''));
  const { data } = await send<{ data: { id: string }[] }>(
    context,
    'GET',
    `/projects/${project}/files?path=${directory}`,
  );
  const content = `/files/${data[0]?.id}/content?`;
  const puts = (files: number, on?: string) => put(bottega, key, [project], files, on);
  const reads = (path: string, on: string): Target => ({
    url: `${bottega}/v1/projects/${project}${path}${on}`,
    headers,
  });
  const compared = async (name: string, ours: Target, other: Target, clients?: number) =>
    row(`${name} on a branch`, 'the same on main', '≥ 0.91', await measure(ours, other, Math.max(seconds, 4), clients));
  const readings = { 'list of a directory': `/files?path=${directory}`, 'GET of a content': content, search };
  const rows = [
    await compared('PUT of a file; 64 clients', puts(100, branch), puts(100), 64),
    await compared('PUT of a file; one client', puts(100, branch), puts(100), 1),
    await compared('PUT of files, each for the first time; 64 clients', puts(10_000, branch), puts(10_000), 64),
  ];
  for (const [name, path] of Object.entries(readings)) {
    rows.push(
      await compared(name, reads(path, `&branch=${branch}`), reads(path, ''), name === 'search' ? 2 : undefined),
    );
  }
  return rows;
}
