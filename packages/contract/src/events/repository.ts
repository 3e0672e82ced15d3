import { Type } from 'typebox';
import { Timestamp } from '../primitives.ts';
import { eventFamily } from './family.ts';
import { Author, ada, exactly, exampleSha, inExampleProject, inProject, orNull, text } from './fields.ts';

const commit = exactly({
  sha: text,
  message: Type.String({ description: 'The first line, at most 200 characters' }),
  author: exactly({ name: text, email: text }),
  committed_at: Timestamp,
});

export const repositoryEvents = eventFamily(
  { scope: 'read:files', subject: 'repository', fieldNames: {} },
  {
    'repository.pushed': {
      description: 'A branch or tag was created, moved or deleted, other than by writing files through the API',
      names: { reference: 'repository.pushed', core: null, guide: null },
      data: exactly({
        ...inProject,
        ref: Type.String({ description: 'The full name, such as `refs/heads/main`' }),
        branch: orNull(Type.String({ description: 'null for a tag' })),
        before: orNull(Type.String({ description: 'null if the reference is new' })),
        after: orNull(Type.String({ description: 'null if the reference was deleted' })),
        commits: Type.Array(commit, {
          description: 'The newest of the pushed commits that are not in `before`; at most 20',
        }),
        commits_count: Type.Integer({
          description: 'Number of pushed commits that are not in `before`, counted up to 500',
        }),
        files_count: exactly({ added: Type.Integer(), modified: Type.Integer(), removed: Type.Integer() }),
        pushed_by: Author,
      }),
      example: {
        ...inExampleProject,
        ref: 'refs/heads/feature',
        branch: 'feature',
        before: '8f14e45fceea167a5a36dedd4bea2543c1f3a9b2',
        after: exampleSha,
        commits: [
          {
            sha: exampleSha,
            message: 'Turn the second wheel',
            author: { name: ada.name, email: ada.email },
            committed_at: '2026-01-02T03:04:05.000Z',
          },
        ],
        commits_count: 1,
        files_count: { added: 0, modified: 1, removed: 0 },
        pushed_by: ada,
      },
    },
  },
);
