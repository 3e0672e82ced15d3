import { expect, test } from 'vitest';
import { watchHeads } from './shared-heads.ts';

const [one, two, three, four] = [1, 2, 3, 4].map((byte) => Buffer.alloc(20, byte)) as [Buffer, Buffer, Buffer, Buffer];

function watching() {
  const clock = { time: 1_000 };
  const pass = (ms: number) => {
    clock.time += ms;
  };
  return { heads: watchHeads(() => clock.time), pass };
}

test('a project with one writer is never shared', () => {
  const { heads } = watching();
  heads.noteGroup('prj_1', null, one);
  heads.noteGroup('prj_1', one, two);
  heads.noteGroup('prj_1', two, two);
  expect(heads.isShared('prj_1')).toBe(false);
});

test('who finds another head than it has just left shares the project for some seconds', () => {
  const { heads, pass } = watching();
  heads.noteGroup('prj_1', null, one);
  heads.noteGroup('prj_1', two, three);
  expect(heads.isShared('prj_1')).toBe(true);
  expect(heads.isShared('prj_2')).toBe(false);
  pass(10_000);
  expect(heads.isShared('prj_1')).toBe(false);
});

test('what others wrote a while ago, and what the owner wrote for this node, makes nothing shared', () => {
  const { heads, pass } = watching();
  heads.noteGroup('prj_1', null, one);
  pass(2_000);
  heads.noteGroup('prj_1', two, three);
  expect(heads.isShared('prj_1')).toBe(false);
  heads.notePassed('prj_1');
  heads.noteGroup('prj_1', four, one);
  expect(heads.isShared('prj_1')).toBe(false);
});
