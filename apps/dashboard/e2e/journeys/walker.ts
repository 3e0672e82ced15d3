import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { editorWords } from '../../src/editor/editor.words.ts';
import { shellWords } from '../../src/shell/shell.words.ts';
import type { Written } from '../../src/words/dictionary.ts';
import type { Combination } from './combinations.ts';
import { mustBeInReach } from './in-reach.ts';
import { reach } from './keyboard.ts';

type Role = Parameters<Page['getByRole']>[0];
type Name = string | RegExp;

/** A user at a page with either a mouse or a keyboard. Elements are named by their accessible names. */
export type Walker = {
  page: Page;
  words<Words>(dictionary: Readonly<Record<Written, Words>>): Words;
  press(role: Role, name: Name): Promise<void>;
  /** Replaces the content of the field with this label. */
  write(label: Name, text: string): Promise<void>;
  /** Types at the end of the field with this label, and takes a person who is offered after an `@`. */
  mention(label: Name, text: string, person: string): Promise<void>;
  choose(label: Name, value: string): Promise<void>;
  /** Types at the beginning of the file that is open in the editor. */
  type(label: string, text: string): Promise<void>;
  /** Opens a file of the tree, which is in a drawer on a phone. */
  openFile(name: string): Promise<void>;
  sees(text: Name): Promise<void>;
  /** Opens a screen from the side menu, which is hidden on a phone. */
  goTo(place: string): Promise<void>;
  within(role: Role, name?: Name): Walker;
};

export function newWalker(page: Page, { hand, width, language }: Combination, scope?: Locator): Walker {
  const inside = scope ?? page;
  const byRole = (role: Role, name: Name) => inside.getByRole(role, { name, exact: true });
  /** With the keyboard, focus alone has to bring it into view. */
  const find = async (target: Locator) => {
    await target.waitFor();
    if (hand === 'keyboard') await reach(page, target);
    await mustBeInReach(target, { mayScroll: hand === 'mouse' });
  };
  const go = async (target: Locator) => {
    await find(target);
    if (hand === 'mouse') await target.click();
  };
  const press = async (role: Role, name: Name) => {
    const target = byRole(role, name);
    await go(target);
    if (hand === 'keyboard') await page.keyboard.press(/checkbox|switch|radio/.test(role) ? 'Space' : 'Enter');
  };
  return {
    page,
    words: (dictionary) => dictionary[language],
    press,
    async write(label, text) {
      // A field with suggestions is a combobox.
      await go(byRole('textbox', label).or(byRole('combobox', label)).or(passwordField(inside, label)));
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(text);
    },
    async mention(label, text, person) {
      await go(byRole('textbox', label));
      await page.keyboard.press('Control+End');
      await page.keyboard.type(text);
      const offered = inside.getByRole('option', { name: person });
      await offered.waitFor();
      if (hand === 'mouse') await go(offered);
      else await page.keyboard.press('Enter');
    },
    async choose(label, value) {
      const field = byRole('combobox', label);
      await find(field);
      if (hand === 'mouse') await field.selectOption(value);
      else await chooseByKeys(page, field, value);
    },
    async type(label, text) {
      await go(byRole('textbox', label));
      await page.keyboard.press('Control+Home');
      await page.keyboard.type(text);
    },
    async openFile(name) {
      const { showFiles } = editorWords[language];
      const tree = inside.getByRole('tree');
      await tree
        .or(inside.getByRole('button', { name: showFiles, exact: true }))
        .first()
        .waitFor();
      if (!(await tree.isVisible())) await press('button', showFiles);
      await press('treeitem', new RegExp(`^${name.replaceAll('.', '\\.')}`));
    },
    sees: (text) => inside.getByText(text).first().waitFor(),
    async goTo(place) {
      if (width === 390) await press('button', shellWords[language].menu);
      await press('link', place);
    },
    within: (role, name) => newWalker(page, { hand, width, language } as Combination, narrowed(inside, role, name)),
  };
}

const narrowed = (inside: Page | Locator, role: Role, name: Name | undefined) =>
  inside.getByRole(role, name === undefined ? {} : { name, exact: true });

/** A password field has no role. */
const passwordField = (inside: Page | Locator, label: Name) =>
  inside.getByLabel(label, { exact: true }).and(inside.locator('input[type=password]'));

/** In a native select, arrows move from the first entry. */
async function chooseByKeys(page: Page, field: Locator, value: string): Promise<void> {
  await page.keyboard.press('Home');
  for (let step = 0; step < 60 && (await field.inputValue()) !== value; step++) await page.keyboard.press('ArrowDown');
  expect(await field.inputValue()).toBe(value);
}
