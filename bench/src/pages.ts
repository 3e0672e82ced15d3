import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { findChromium } from '../../apps/dashboard/e2e/chromium.ts';
import { pathOf } from './file-load.ts';
import { medianOf } from './measure.ts';
import { figuresOfPage, type PageFigures, type Screen } from './page-figures.ts';
import { type Row, row } from './report.ts';
import type { SeededUser } from './seed.ts';
import { send } from './send.ts';
import { sessionOf } from './sign-in.ts';

const run = promisify(execFile);
const rounds = 3;

type Context = { bottega: string; user: SeededUser };

/** Loading times in the browser with an empty cache: on a fast and on a bad connection. */
export async function measurePages({ bottega, user }: Context): Promise<Row[]> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('chromium must be installed, or CHROMIUM name it');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const rows: Row[] = [];
    for (const { name, goal, ...screen } of await screensOf({ bottega, user })) {
      const fast = await middleOf(() => figuresOfPage(browser, screen, false));
      const slow = await middleOf(() => figuresOfPage(browser, screen, true));
      const measured = { ours: asFigures(fast), other: asFigures(slow), ratio: 0 };
      rows.push(row(name, 'the same at 50 KB/s and 400 ms', goal, measured));
      process.stdout.write(`  ${name}: ${measured.ours.text}; slow: ${measured.other.text}\n`);
    }
    return rows;
  } finally {
    await browser.close();
  }
}

async function screensOf({ bottega, user }: Context): Promise<(Screen & { name: string; goal: string })[]> {
  const cookie = await sessionOf(bottega, user);
  const { id, sha, request } = await pushProject({ bottega, user });
  return [
    { name: 'sign-in', goal: '', url: `${bottega}/sign-in`, cookie: '', shows: 'input[type=password]' },
    { name: 'the list of projects', goal: 'slow: < 4 s', url: `${bottega}/projects`, cookie, shows: 'tbody tr' },
    {
      name: 'the list, with all that one can do there',
      goal: 'slow: < 4 s',
      url: `${bottega}/projects`,
      cookie,
      shows: 'main tbody tr',
    },
    {
      name: 'a project',
      goal: '',
      url: `${bottega}/projects/${id}`,
      cookie,
      shows: 'text=Everything at once',
    },
    {
      name: 'a commit of 2,000 files',
      goal: '< 1.5 s',
      url: `${bottega}/projects/${id}/history/${sha}`,
      cookie,
      shows: '#section section[aria-label]',
    },
    {
      name: 'a merge request of 2,000 files and 20,000 changed lines',
      goal: '< 1.5 s, ≤ 5,000 nodes',
      url: `${bottega}/projects/${id}/merge-requests/${request}?tab=changes`,
      cookie,
      shows: '[data-file="0"] .diff-text',
      ends: '[data-file="1999"] .diff-text',
    },
    // Its script runs after the whole page is loaded, and then search works.
    { name: '/docs', goal: '< 2 s, < 1.2 MB', url: `${bottega}/docs/`, cookie: '', shows: '#search:enabled' },
  ];
}

/** A commit with more files than the API accepts at once is pushed by git. */
async function pushProject({ bottega, user }: Context): Promise<{ id: string; sha: string; request: number }> {
  const { id } = await send<{ id: string }>({ bottega, key: user.key }, 'POST', '/projects', { name: '2,000 files' });
  const directory = await mkdtemp(join(tmpdir(), 'bottega-bench-pages-'));
  const git = (...args: string[]) => run('git', ['-C', directory, ...args]);
  try {
    for (let number = 0; number < 2_000; number++) {
      const path = join(directory, pathOf(number));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, `export const value = ${number};\n`.repeat(20));
    }
    await git('init', '-q', '-b', 'main');
    await git('add', '.');
    await git('-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', 'commit', '-qm', 'Everything at once');
    const { host } = new URL(bottega);
    await git('push', '-q', `http://bench:${user.key}@${host}/git/${id}.git`, 'main');
    const sha = (await git('rev-parse', 'HEAD')).stdout.trim();
    return { id, sha, request: await openRequest({ bottega, user }, id, { directory, git }) };
  } finally {
    await rm(directory, { recursive: true });
  }
}

type Clone = { directory: string; git(...args: string[]): Promise<{ stdout: string }> };

/** Changes five lines of each file, which are ten lines of a diff. */
async function openRequest({ bottega, user }: Context, id: string, { directory, git }: Clone): Promise<number> {
  await git('checkout', '-q', '-b', 'feature');
  for (let number = 0; number < 2_000; number++) {
    const lines = Array.from(
      { length: 20 },
      (_, line) => `export const value = ${line % 4 === 0 ? -1 - number : number};\n`,
    );
    await writeFile(join(directory, pathOf(number)), lines.join(''));
  }
  await git('-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', 'commit', '-qam', 'Change everything');
  await git('push', '-q', `http://bench:${user.key}@${new URL(bottega).host}/git/${id}.git`, 'feature');
  const opening = { source: 'feature', title: 'Change everything' };
  const made = await send<{ number: number }>(
    { bottega, key: user.key },
    'POST',
    `/projects/${id}/merge-requests`,
    opening,
  );
  return made.number;
}

async function middleOf(look: () => Promise<PageFigures>): Promise<PageFigures> {
  const figures: PageFigures[] = [];
  for (let round = 0; round < rounds; round++) figures.push(await look());
  return medianOf(figures, ({ ready }) => ready);
}

const inSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;

function asFigures({ firstContent, ready, shift, bytes, nodes }: PageFigures) {
  const text = [
    `first content ${inSeconds(firstContent)}`,
    `ready ${inSeconds(ready)}`,
    `shift ${shift.toFixed(3)}`,
    `${Math.round(bytes / 1000)} kB`,
    `${nodes} nodes`,
  ].join(', ');
  return { perSecond: 0, p50: 0, p99: 0, text };
}
