import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const work = `
  set -e
  git clone --quiet "$1" work && cd work
  git checkout --quiet -b feature/one
  printf 'feature\\n' > feature.txt && git add . && git commit --quiet -m 'A feature'
  git checkout --quiet main
  mkdir bin && printf '#!/bin/sh\\necho kept\\n' > bin/run && chmod +x bin/run && ln -s docs/notes.md link
  git add . && git update-index --add --cacheinfo 160000,1234567890123456789012345678901234567890,module
  git commit --quiet -m 'A program, a link, a submodule'
  git tag light && git tag -a v1 -m 'The first' && git tag -a of-a-tag -m 'Of another' v1
  git merge --quiet --no-ff -m 'Merge' feature/one
  git push --quiet origin main feature/one --tags
`;

/** Pushes to a project what only git can make. */
export async function pushHistory(address: string): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'bottega-history-'));
  const [name, email] = ['Ada', 'ada@example.com'];
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email },
  };
  await promisify(execFile)('sh', ['-c', work, 'sh', address], { cwd: home, env }).finally(() =>
    rm(home, { recursive: true, force: true }),
  );
}
