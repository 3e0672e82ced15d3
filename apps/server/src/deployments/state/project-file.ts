import { reasonSentence } from '@bottega/contract';
import { BuildProblem } from './build-problem.ts';

/** bottega.json at the root of a project: how it is built and served. */
export type ProjectFile = {
  build: string | null;
  output: string | null;
  start: string | null;
  spa: boolean;
};

const kinds = { build: 'string', output: 'string', start: 'string', spa: 'boolean' } as const;

/** Largest bottega.json in bytes, far more than a command and some names need. */
export const maxProjectFileBytes = 64 * 1024;

/** Parses the text of the file in the tree, so a build cannot change how the project is served. */
export function parseProjectFile(text: string | null): ProjectFile {
  if (text === null) return { build: null, output: null, start: null, spa: false };
  const value = parse(text);
  for (const [key, kind] of Object.entries(kinds)) {
    const given = value[key];
    if (given !== undefined && given !== null && typeof given !== kind) {
      throw new BuildProblem(
        'bad_project_file',
        reasonSentence('project_file_mistake', { detail: `${key} must be a ${kind}` }),
      );
    }
  }
  const { build, output, start, spa } = value as Partial<ProjectFile>;
  return { build: build || null, output: output || null, start: start || null, spa: spa ?? false };
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The error is thrown below, with the same message.
  }
  throw new BuildProblem('bad_project_file', reasonSentence('project_file_not_json'));
}
