import { StateEffect, StateField } from '@codemirror/state';
import { EditorView, type Panel, showPanel } from '@codemirror/view';

export type Choice = { text: string; detail?: string; run: () => void };

export type Choices = {
  /** Says what kind of choices these are. A phrase of the editor. */
  label: string;
  /** Shown if there are no choices. A phrase of the editor. */
  nothing: string;
  choices: Choice[];
  /** Whether choices are rows, as for places. Otherwise, they are beside each other, as for actions. */
  isList?: boolean;
};

const setChoices = StateEffect.define<Choices | null>();

const shown = StateField.define<Choices | null>({
  create: () => null,
  update: (value, { effects, docChanged }) =>
    effects.reduce((now, effect) => (effect.is(setChoices) ? effect.value : now), docChanged ? null : value),
  provide: (field) => showPanel.from(field, (value) => (value ? (view) => panelOf(view, value) : null)),
});

/** A panel of the editor with something to choose from, such as quick fixes and references. */
export const choicePanel = [
  shown,
  EditorView.baseTheme({
    '.cm-choices': { display: 'flex', flexWrap: 'wrap', gap: '6px', padding: '8px 36px 8px 10px' },
    '.cm-choices[data-list]': { flexDirection: 'column', flexWrap: 'nowrap', maxHeight: '180px', overflow: 'auto' },
    '.cm-choices[data-list] .cm-button': { flex: 'none', textAlign: 'start', overflowWrap: 'anywhere' },
    '.cm-choices .cm-choice-detail': { marginInlineStart: '10px', opacity: '0.8', fontFamily: 'monospace' },
    '.cm-choices .cm-dialog-close': { position: 'absolute' },
  }),
];

export const showChoices = (view: EditorView, choices: Choices): void =>
  view.dispatch({ effects: setChoices.of(choices) });

function panelOf(view: EditorView, { label, nothing, choices, isList = false }: Choices): Panel {
  const dom = document.createElement('div');
  dom.className = 'cm-panel cm-choices';
  dom.toggleAttribute('data-list', isList);
  dom.setAttribute('role', 'group');
  dom.setAttribute('aria-label', view.state.phrase(label));
  const close = () => {
    view.dispatch({ effects: setChoices.of(null) });
    view.focus();
  };
  if (choices.length === 0) dom.append(view.state.phrase(nothing));
  for (const { text, detail, run } of choices) {
    const button = buttonOf('cm-button', text, () => {
      close();
      run();
    });
    if (detail !== undefined) button.append(detailOf(detail));
    dom.append(button);
  }
  const closing = buttonOf('cm-dialog-close', '×', close);
  closing.setAttribute('aria-label', view.state.phrase('close'));
  dom.append(closing);
  dom.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(dom, event);
  });
  return { dom, top: true, mount: () => dom.querySelector('button')?.focus() };
}

/** The arrow keys go to the next choice. */
function move(dom: HTMLElement, event: KeyboardEvent): void {
  const all = [...dom.querySelectorAll('button')];
  const at = all.indexOf(document.activeElement as HTMLButtonElement);
  all[(at + (event.key === 'ArrowDown' ? 1 : all.length - 1)) % all.length]?.focus();
  event.preventDefault();
}

function buttonOf(className: string, text: string, run: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = className;
  button.textContent = text;
  button.addEventListener('click', run);
  return button;
}

function detailOf(text: string): HTMLElement {
  const detail = document.createElement('span');
  detail.className = 'cm-choice-detail';
  detail.textContent = text;
  return detail;
}
