import { Box, type BoxProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { openRow } from './open-row.ts';

export type Column<Row> = Pick<BoxProps, 'ta' | 'visibleFrom' | 'maw'> & {
  name: string;
  cell: (row: Row) => ReactNode;
  /** The text is never wrapped. Right-aligned text is not wrapped either. */
  isWhole?: true;
};

type Props<Row> = {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  minWidth?: number;
  /** Whether these are the rows of the previous page, while the next page loads. */
  isOld?: boolean;
  /** Required if there are several tables, or if the table scrolls and contains nothing focusable. */
  label?: string;
};

/**
 * A table. Each column defines its visibility and alignment once, for its heading and its cells. The elements are
 * native, because the table of the library would be a third of the code for which the list of projects waits.
 */
export function DataTable<Row>({ rows, columns, keyOf, minWidth = 330, isOld = false, label }: Props<Row>) {
  return (
    <Box className="surface scrolls-sideways" {...(label && { role: 'region', 'aria-label': label, tabIndex: 0 })}>
      <Box component="table" className="data-table" aria-busy={isOld} miw={minWidth} onClick={openRow}>
        <thead>
          <tr>
            {columns.map(({ name, cell: _cell, isWhole: _isWhole, maw: _maw, ...place }) => (
              <Box component="th" key={name} {...place}>
                {name}
              </Box>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, cell, isWhole, ...place }) => (
                <Box component="td" key={name} {...place} {...((isWhole || place.ta) && { className: 'whole' })}>
                  {cell(row)}
                </Box>
              ))}
            </tr>
          ))}
        </tbody>
      </Box>
    </Box>
  );
}
