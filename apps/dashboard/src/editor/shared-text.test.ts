import { redo, undo } from '@codemirror/commands';
import { EditorSelection, EditorState, Text, type Transaction, type TransactionSpec } from '@codemirror/state';
import { expect, test } from 'vitest';
import { newSharedText } from './shared-text.ts';

/** An editor without a screen. */
function editorOf(text: ReturnType<typeof newSharedText>) {
  let state = EditorState.create({ doc: text.doc() });
  const take: Parameters<typeof text.join>[0] = (changes, selection) => {
    state = state.update({ changes, ...(selection && { selection }) }).state;
  };
  text.join(take);
  const put = (spec: TransactionSpec) => {
    const done: Transaction = state.update(spec);
    state = done.state;
    text.put(done, take);
  };
  return {
    text: () => state.doc.toString(),
    cursor: () => state.selection.main.head,
    goTo: (at: number) => put({ selection: EditorSelection.cursor(at), userEvent: 'select' }),
    type: (insert: string) => put({ ...state.replaceSelection(insert), userEvent: 'input.type' }),
    undo: () => text.run(undo, take),
    redo: () => text.run(redo, take),
    close: () => text.leave(take),
  };
}

function pairOn(doc: string) {
  const text = newSharedText(Text.of(doc.split('\n')));
  return { text, left: editorOf(text), right: editorOf(text) };
}

test('text typed in one editor appears in the other, whose cursor stays at its text', () => {
  const { left, right } = pairOn('one\ntwo');
  right.goTo(4);
  left.type('more ');
  expect(right.text()).toBe('more one\ntwo');
  expect(right.cursor()).toBe(9);
  right.type('x');
  expect(left.text()).toBe('more one\nxtwo');
  expect(left.cursor()).toBe(5);
});

test('an undo in either editor reverts the last change of both, and a redo brings it back', () => {
  const { left, right } = pairOn('one\ntwo');
  left.type('a');
  right.goTo(right.text().length);
  right.type('b');
  expect(left.text()).toBe('aone\ntwob');
  expect(left.undo()).toBe(true);
  expect([left.text(), right.text()]).toEqual(['aone\ntwo', 'aone\ntwo']);
  expect(right.undo()).toBe(true);
  expect([left.text(), right.text()]).toEqual(['one\ntwo', 'one\ntwo']);
  expect(right.undo()).toBe(false);
  right.redo();
  expect([left.text(), right.text()]).toEqual(['aone\ntwo', 'aone\ntwo']);
});

test('an undo moves the cursor of its own editor to the change, and the other cursor stays', () => {
  const { left, right } = pairOn('one\ntwo\nthree');
  left.goTo(4);
  left.type('x');
  right.goTo(0);
  right.undo();
  expect(right.cursor()).toBe(4);
  left.goTo(2);
  right.redo();
  expect(left.cursor()).toBe(2);
});

test('letters typed in a row are undone together, and a later letter elsewhere is undone separately', () => {
  const { left, right } = pairOn('');
  for (const letter of 'abc') left.type(letter);
  right.goTo(0);
  right.type('x');
  expect(left.text()).toBe('xabc');
  right.undo();
  expect(left.text()).toBe('abc');
  right.undo();
  expect(left.text()).toBe('');
});

test('the history survives the editor in which the text was typed', () => {
  const { text, left, right } = pairOn('one');
  left.type('x');
  left.close();
  expect(right.undo()).toBe(true);
  expect(right.text()).toBe('one');
  right.close();
  expect(text.hasEditors()).toBe(false);
});
