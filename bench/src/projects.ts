import { measure, type Target } from './measure.ts';
import { type Row, row } from './report.ts';
import type { Seeded } from './seed.ts';

type Context = { bottega: string; bare: string; seeded: Seeded; large: number; seconds: number };

export async function measureProjects({ bottega, bare, seeded, large, seconds }: Context): Promise<Row[]> {
  const ours = (path: string, key: string, extra: Partial<Target> = {}): Target => ({
    url: `${bottega}/v1${path}`,
    headers: { authorization: `Bearer ${key}` },
    ...extra,
  });
  const create = {
    method: 'POST' as const,
    json: true,
    body: JSON.stringify({ name: 'Bench', description: 'A project made by the benchmark' }),
  };
  const { small, project } = seeded;
  const many = large.toLocaleString('en');
  return [
    row(
      'GET /projects/{id}',
      'bare handler, same query',
      '≥ 1',
      await measure(ours(`/projects/${project}`, small.key), { url: `${bare}/project` }, seconds),
    ),
    row(
      'GET /projects, 20 among 1,000',
      'bare handler, same page query',
      '≥ 0.9',
      await measure(ours('/projects', small.key), { url: `${bare}/list/small` }, seconds),
    ),
    row(
      `GET /projects, 20 among ${many}`,
      'the same among 1,000',
      '≥ 0.67',
      await measure(ours('/projects', seeded.large.key), ours('/projects', small.key), seconds),
    ),
    row(
      `GET /projects?search=, a rare word among ${many}`,
      'the same among 1,000',
      '≥ 0.67',
      await measure(
        ours('/projects?search=needle', seeded.large.key),
        ours('/projects?search=needle', small.key),
        seconds,
      ),
    ),
    row(
      'POST /projects',
      'bare handler, one INSERT',
      '≥ 0.5',
      await measure(ours('/projects', small.key, create), { url: `${bare}/project`, ...create }, seconds),
    ),
  ];
}
