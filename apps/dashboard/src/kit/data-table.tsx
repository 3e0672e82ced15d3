import { Table, type TableTdProps } from '@mantine/core';
import type { ReactNode } from 'react';

export type Column<Row> = Pick<TableTdProps, 'ta' | 'visibleFrom' | 'maw'> & {
  name: string;
  cell: (row: Row) => ReactNode;
  /** Never broken into lines, as everything that stands at the right. */
  isWhole?: true;
};

type Props<Row> = {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  minWidth?: number;
  /** The rows of the page before, while the next ones are read. */
  isOld?: boolean;
  /** Named where the table is one of several, or scrolls and has nothing in it to focus. */
  label?: string;
};

/** Each column says once where it is seen and how it is aligned, for its heading and its cells. */
export function DataTable<Row>({ rows, columns, keyOf, minWidth = 330, isOld = false, label }: Props<Row>) {
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      className="surface"
      {...(label && { role: 'region', 'aria-label': label, tabIndex: 0 })}
    >
      <Table aria-busy={isOld}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ name, cell: _cell, isWhole: _isWhole, maw: _maw, ...place }) => (
              <Table.Th key={name} {...place}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {columns.map(({ name, cell, isWhole, ...place }) => (
                <Table.Td key={name} {...place} {...((isWhole || place.ta) && { style: { whiteSpace: 'nowrap' } })}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
