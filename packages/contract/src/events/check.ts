import { eventFamily } from './family.ts';
import { exactly, exampleSha, inExampleProject, inProject, orNull, text } from './fields.ts';

export const checkEvents = eventFamily(
  { scope: 'read:checks', subject: 'check', fieldNames: { check_id: 'id' } },
  {
    'check.completed': {
      description: 'A check of a commit was completed',
      names: { reference: 'check.completed', core: null, guide: null },
      data: exactly({
        ...inProject,
        check_id: text,
        name: text,
        head_sha: text,
        tree_sha: text,
        source: text,
        conclusion: text,
        title: text,
        details_url: orNull(text),
      }),
      example: {
        ...inExampleProject,
        check_id: 'chk_01jd2m6vz8e3r9x5k7q4w1t0ab',
        name: 'test',
        head_sha: exampleSha,
        tree_sha: exampleSha,
        source: 'project',
        conclusion: 'success',
        title: 'npm test succeeded',
        details_url: null,
      },
    },
  },
);
