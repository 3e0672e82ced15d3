import './code-colours.css';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { styleNonce } from './style-nonce.ts';

/**
 * Colours are variables of the theme (code-colours.css), so one style works for light and dark and changes with the theme
 * immediately.
 */
const highlight = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--code-number)' },
  { tag: [tags.comment, tags.meta], color: 'var(--code-comment)' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--code-function)' },
  { tag: [tags.typeName, tags.className, tags.tagName, tags.heading], color: 'var(--code-type)' },
  { tag: [tags.attributeName, tags.propertyName, tags.labelName], color: 'var(--code-property)' },
  { tag: [tags.link, tags.url], textDecoration: 'underline' },
  { tag: tags.strong, fontWeight: 'bold' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--mantine-color-error)' },
]);

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--mantine-color-text)', backgroundColor: 'var(--surface)' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
  '.cm-gutters': {
    backgroundColor: 'var(--surface)',
    color: 'var(--mantine-color-dimmed)',
    border: 'none',
  },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--surface-raised)' },
  '&.cm-focused': { outline: '1px solid var(--mantine-primary-color-filled)', outlineOffset: '-1px' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--code-selection) !important',
  },
  '.cm-panels': { backgroundColor: 'var(--surface-raised)', color: 'var(--mantine-color-text)', zIndex: '3' },
  '.cm-panels-top': { borderBottom: '1px solid var(--surface-line)' },
  '.cm-panel.cm-search, .cm-panel.cm-gotoLine': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '6px',
    padding: '8px 36px 8px 10px',
    fontFamily: 'var(--mantine-font-family)',
    fontSize: '12px',
  },
  '.cm-panel.cm-search br': { flexBasis: '100%', height: '0', content: '""' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': { margin: '0' },
  '.cm-panel.cm-search label': { display: 'flex', alignItems: 'center', gap: '4px', fontSize: '12px' },
  '.cm-panel .cm-textfield, .cm-panel .cm-button': {
    minHeight: '26px',
    padding: '2px 8px',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: 'var(--mantine-radius-sm)',
    backgroundColor: 'var(--mantine-color-default)',
    backgroundImage: 'none',
    color: 'var(--mantine-color-text)',
    fontSize: '12px',
  },
  '.cm-panel .cm-textfield': { width: '200px', maxWidth: '100%' },
  '.cm-panel .cm-button': { cursor: 'pointer' },
  '.cm-panel .cm-button:hover, .cm-panel .cm-button:active': {
    backgroundColor: 'var(--mantine-color-default-hover)',
    backgroundImage: 'none',
  },
  '.cm-panel :focus-visible': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '1px' },
  '.cm-panel.cm-search [name=close], .cm-panel .cm-dialog-close': {
    top: '8px',
    right: '10px',
    width: '22px',
    height: '22px',
    fontSize: '16px',
    color: 'var(--mantine-color-text)',
    cursor: 'pointer',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--code-found)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--code-found-now)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--mantine-color-body)',
    border: '1px solid var(--surface-line)',
    borderRadius: 'var(--mantine-radius-md)',
    boxShadow: 'var(--mantine-shadow-md)',
    overflow: 'hidden',
  },
  // Specific enough to win over the colours of the editor's own two themes.
  '&.cm-editor .cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    maxHeight: '200px',
  },
  '&.cm-editor .cm-tooltip.cm-tooltip-autocomplete > ul > li': { lineHeight: '25px', padding: '0 8px' },
  '.cm-completionIcon': { display: 'none' },
  '&.cm-editor .cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--mantine-primary-color-light)',
    color: 'var(--mantine-color-text)',
  },
});

export const codeLook = [EditorView.cspNonce.of(styleNonce), look, syntaxHighlighting(highlight)];
