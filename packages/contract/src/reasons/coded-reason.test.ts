import { expect, test } from 'vitest';
import { codedAs, reasonOf, reasonSentence } from './coded-reason.ts';
import {
  appReasons,
  checkReasons,
  deliveryReasons,
  deploymentReasons,
  domainReasons,
  forkReasons,
  importReasons,
  queueReasons,
  webhookReasons,
  workspaceReasons,
} from './reasons.ts';

const groups = {
  appReasons,
  checkReasons,
  deliveryReasons,
  deploymentReasons,
  domainReasons,
  forkReasons,
  importReasons,
  queueReasons,
  webhookReasons,
  workspaceReasons,
};
const everyReason = Object.entries(groups).flatMap(([group, known]) =>
  Object.entries<string>(known).map(([code, sentence]) => ({ group, known, code, sentence })),
);

test.each(everyReason)(
  'the code $code of $group is found in its sentence, with its values',
  ({ known, code, sentence }) => {
    const names = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const values = Object.fromEntries(names.map((name, index) => [name, `/x y ${index}, (z)`]));
    const said = names.reduce((text, name) => text.replace(`{${name}}`, values[name] ?? ''), sentence);
    expect(reasonOf(known, said)).toEqual({ code, values });
  },
);

test('a sentence is made from its code and its values', () => {
  expect(reasonSentence('endpoint_gone')).toBe('The endpoint responded with 410 Gone');
  expect(reasonSentence('delivery_timed_out', { seconds: 10 })).toBe('Timed out after 10 s');
  // A value is text, whatever it contains.
  expect(reasonSentence('file_not_saved', { path: '/{detail}', detail: '{path}' })).toBe(
    '/{detail} could not be saved: {path}',
  );
});

test('if several sentences match, the most specific one counts', () => {
  const said = '/a could not be saved: The branch main changes only by merge requests';
  const values = { path: '/a', branch: 'main' };
  expect(reasonOf(workspaceReasons, said)).toEqual({ code: 'file_of_protected_branch', values });
});

test.each([
  'Deliveries failed',
  'Timed out after  s',
  'Timed out after 10 s.',
  'They Timed out after 10 s',
  'HTTP ',
  '',
])('the sentence %j has no code', (sentence) => {
  expect(codedAs('error', deliveryReasons, sentence)).toEqual({ error_code: null, error_values: {} });
});
