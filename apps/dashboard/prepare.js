// Plain JavaScript, for any Node. `npm ci` runs it: it builds the dashboard if its tools are installed, which
// `--omit=dev` leaves out; an existing build stays unchanged.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const isBuilt = existsSync(new URL('dist/index.html', import.meta.url));
if (hasVite()) {
  const { status } = spawnSync('npm', ['run', 'build'], { stdio: 'inherit', shell: process.platform === 'win32' });
  process.exitCode = status ?? 1;
} else if (!isBuilt) {
  process.stdout.write(
    'The dashboard is not built, since --omit=dev leaves its tools out: build it elsewhere (npm run build) and copy\n' +
      'apps/dashboard/dist, or serve the API alone.\n',
  );
}

function hasVite() {
  try {
    createRequire(import.meta.url).resolve('vite/package.json');
    return true;
  } catch {
    return false;
  }
}
