import './diff.css';
import { parseDiff } from './parse-diff.ts';

/** A unified diff as numbered lines. Screen readers read the sign too, so that colour is never the only mark. */
export function Diff({ diff, label }: { diff: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, so the keyboard has to reach it
    <section className="diff" aria-label={label} tabIndex={0}>
      <table>
        <tbody>
          {parseDiff(diff).map(({ kind, text, before, after }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a diff never change places
            <tr key={index} data-kind={kind}>
              <td className="number">{before}</td>
              <td className="number">{after}</td>
              <td className="text">{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
