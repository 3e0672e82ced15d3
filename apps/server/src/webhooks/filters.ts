import type { WebhookFilters } from '@bottega/contract';

type FilteredEvent = { project_id: string | null; data: Record<string, unknown> };

/** Whether the webhook wants the event, by its project and by the path of its file. What is no file has no path to judge. */
export function compileFilters(filters: WebhookFilters | null): (event: FilteredEvent) => boolean {
  const projects = filters?.projects ? new Set(filters.projects) : null;
  const patterns = filters?.paths?.map((pattern) => pattern.split('/').filter((part) => part !== '')) ?? null;
  return ({ project_id, data }) => {
    if (projects && (project_id === null || !projects.has(project_id))) return false;
    const { file_path: path } = data;
    if (!patterns || typeof path !== 'string') return true;
    const names = path.split('/').slice(1);
    return patterns.some((pattern) => matchesPath(pattern, names));
  };
}

/**
 * Glob libraries make regular expressions, which some patterns send backtracking for years; and these patterns are the
 * users'. Going back to the last star alone is enough, and takes at most the product of both lengths.
 */
const matchesPath = starMatcher<string>((pattern) => pattern === '**', matchesName);

const matchCharacters = starMatcher<string>(
  (character) => character === '*',
  (pattern, character) => pattern === '?' || pattern === character,
);

function matchesName(pattern: string, name: string): boolean {
  return matchCharacters([...pattern], [...name]);
}

function starMatcher<Part>(isStar: (part: Part) => boolean, fits: (pattern: Part, part: Part) => boolean) {
  return (pattern: readonly Part[], parts: readonly Part[]): boolean => {
    let [at, next, star, taken] = [0, 0, -1, 0];
    while (next < parts.length) {
      const wanted = pattern[at];
      if (wanted !== undefined && isStar(wanted)) {
        [star, taken] = [at, next];
        at++;
      } else if (wanted !== undefined && fits(wanted, parts[next] as Part)) {
        at++;
        next++;
      } else if (star >= 0) {
        taken++;
        [at, next] = [star + 1, taken];
      } else return false;
    }
    return pattern.slice(at).every(isStar);
  };
}
