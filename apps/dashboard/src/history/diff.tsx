import './diff.css';
import { parseDiff } from './parse-diff.ts';

/** A unified diff as lines with their numbers; the sign is read out too, so that colour is never the only mark. */
export function Diff({ diff, label }: { diff: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, and the keyboard has to reach it for that
    <section className="diff" aria-label={label} tabIndex={0}>
      <table>
        <tbody>
          {parseDiff(diff).map(({ kind, text, before, after }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one diff never change their places
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
