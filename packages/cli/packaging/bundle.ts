import { join } from 'node:path';
import { rolldown } from 'rolldown';

const cli = join(import.meta.dirname, '..');

/** Writes the program as one JavaScript file that needs nothing else. Returns the files that went into it. */
export async function bundleCli(dir: string): Promise<string[]> {
  const build = await rolldown({ input: { main: join(cli, 'src/main.ts') }, platform: 'node' });
  const { output } = await build.write({ dir, format: 'es', cleanDir: true });
  await build.close();
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}
