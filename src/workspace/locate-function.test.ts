import { describe, expect, test } from 'vitest';
import { locateFunction } from './locate-function.ts';

interface Row {
  readonly what: string;
  readonly text: string;
  readonly name?: string;
  readonly lines: readonly number[];
}

const ROWS: readonly Row[] = [
  { what: 'Python', text: 'import os\n\ndef total(items):\n    return sum(items)\n', lines: [3] },
  {
    what: 'Python, async and typed',
    text: 'async def total(\n    items: list[int],\n) -> int:\n    pass\n',
    lines: [1],
  },
  { what: 'Python, lambda', text: 'total = lambda items: sum(items)\n', lines: [1] },
  {
    what: 'Python, a method and its calls',
    text: 'class Cart:\n    def total(self):\n        return self.total()\n\nx = total(1)\n',
    lines: [2],
  },
  { what: 'Python, an argument of that name', text: 'sort(total=lambda x: x)\n', lines: [] },
  {
    what: 'Python, twice',
    text: 'class A:\n    def total(self): ...\n\nclass B:\n    def total(self): ...\n',
    lines: [2, 5],
  },
  {
    what: 'Python, a comment and a docstring',
    text: '# def total(x):\n"""\ndef total(x):\n"""\ndef total(x):\n    pass\n',
    lines: [5],
  },
  { what: 'Python, only calls', text: 'print(total(1))\nif total(2):\n    total(3)\n', lines: [] },
  { what: 'JavaScript, function', text: 'function total(items) {\n  return 1;\n}\n', lines: [1] },
  { what: 'JavaScript, exported async generator', text: 'export default async function* total() {}\n', lines: [1] },
  { what: 'JavaScript, arrow', text: 'export const total = async (items) => items.length;\n', lines: [1] },
  { what: 'JavaScript, arrow with one name', text: 'const total = items => items.length;\n', lines: [1] },
  {
    what: 'JavaScript, function value',
    text: 'module.exports.total = function (items) {};\n',
    name: 'total',
    lines: [1],
  },
  {
    what: 'JavaScript, in an object',
    text: 'const cart = {\n  total: function () {},\n  other: () => 1,\n};\n',
    lines: [2],
  },
  { what: 'JavaScript, short method', text: 'const cart = {\n  total() {\n    return 1;\n  },\n};\n', lines: [2] },
  { what: 'JavaScript, calls and a condition', text: 'if (total(1)) {\n  total(2);\n}\nreturn total(3)\n', lines: [] },
  {
    what: 'JavaScript, a call with a block',
    text: "describe('total', () => {\n  total(() => {\n  });\n});\n",
    lines: [],
  },
  {
    what: 'TypeScript, generic and typed',
    text: 'export function total<T extends Item>(items: readonly T[]): number {\n',
    lines: [1],
  },
  {
    what: 'TypeScript, typed arrow over lines',
    text: 'export const total: Sum = async (\n  items: Item[],\n): Promise<number> => {\n',
    lines: [1],
  },
  {
    what: 'TypeScript, class members',
    text: 'class Cart {\n  private async total(items: Item[]): Promise<number> {\n    return this.total([]);\n  }\n  readonly other = (): void => {};\n}\n',
    lines: [2],
  },
  {
    what: 'TypeScript, overloads are one definition',
    text: 'class Cart {\n  total(a: string): void;\n  total(a: number): void;\n  total(a: unknown): void {\n  }\n}\n',
    lines: [4],
  },
  {
    what: 'TypeScript, a field with an arrow',
    text: 'class Cart {\n  readonly total = (items: Item[]): number => items.length;\n}\n',
    lines: [2],
  },
  { what: 'Go, function', text: 'func total(items []int) int {\n\treturn 1\n}\n', lines: [1] },
  { what: 'Go, method', text: 'func (c *Cart) total() int {\n\treturn c.total()\n}\n', lines: [1] },
  {
    what: 'Rust',
    text: 'impl Cart {\n    pub async fn total<T>(&self, items: &[T]) -> u32 {\n        self.total()\n    }\n}\n',
    lines: [2],
  },
  {
    what: 'Java',
    text: 'class Cart {\n  public static List<Item> total(final int[] items) throws IOException {\n    return total(null);\n  }\n}\n',
    lines: [2],
  },
  {
    what: 'Java, the brace below',
    text: 'class Cart\n{\n  int total(int a)\n  {\n    return total(1);\n  }\n}\n',
    lines: [3],
  },
  {
    what: 'C',
    text: '#include <stdio.h>\nint total(int a);\n\nstatic int total(int a) {\n  return total(a - 1);\n}\n',
    lines: [4],
  },
  { what: 'C++', text: 'double Cart::total(const Items& items) const {\n  return 1;\n}\n', lines: [1] },
  {
    what: 'C#',
    text: 'public class Cart {\n  public async Task<int> total(int a) => await other.total(a);\n}\n',
    lines: [2],
  },
  { what: 'Kotlin', text: 'fun Cart.total(items: List<Int>): Int = items.sum()\n', lines: [1] },
  { what: 'Swift', text: 'public func total(_ items: [Int]) -> Int {\n', lines: [1] },
  { what: 'Scala', text: 'object Cart {\n  def total(items: Seq[Int]): Int = items.sum\n}\n', lines: [2] },
  {
    what: 'PHP',
    text: '<?php\nclass Cart {\n  public function &total(array $items): int {\n    return $this->total([]);\n  }\n}\n',
    lines: [3],
  },
  { what: 'Ruby', text: 'class Cart\n  def self.total(items)\n    items.sum\n  end\nend\n', lines: [2] },
  { what: 'Ruby, with a question mark', text: 'def empty?\n  true\nend\ndef empty\nend\n', name: 'empty?', lines: [1] },
  { what: 'Lua', text: 'local function total(items)\nend\nfunction Cart:other()\nend\n', lines: [1] },
  { what: 'Shell', text: 'total() {\n  echo "$1"\n}\ntotal 1\n', lines: [1] },
  { what: 'Shell, function', text: 'function total {\n  :\n}\n', lines: [1] },
  { what: 'Elixir', text: 'defmodule Cart do\n  defp total(items), do: Enum.sum(items)\nend\n', lines: [2] },
  { what: 'R', text: 'total <- function(items) sum(items)\n', lines: [1] },
  { what: 'Perl', text: 'sub total {\n  return 1;\n}\n', lines: [1] },
  { what: 'Haskell', text: 'total :: [Int] -> Int\ntotal xs = sum xs\n', lines: [1] },
  { what: 'Clojure', text: '(defn total [items]\n  (reduce + items))\n', lines: [1] },
  {
    what: 'names that only begin or end like it',
    text: 'def total_price():\n  pass\ndef subtotal():\n  pass\ndef totals():\n  pass\n',
    lines: [],
  },
  {
    what: 'a name in a text',
    text: "const words = 'function total() {';\n// function total() {\n/* function total() {\n} */\n",
    lines: [],
  },
  {
    what: 'an owner with a dot',
    text: 'class A:\n    def total(self): ...\n\nclass B:\n    def total(self): ...\n',
    name: 'B.total',
    lines: [5],
  },
  {
    what: 'an owner and parentheses',
    text: 'class A {\n  total() {\n  }\n}\nclass B {\n  total() {\n  }\n}\n',
    name: 'A#total()',
    lines: [2],
  },
  {
    what: 'an owner that is a receiver',
    text: 'func (a *A) total() {\n}\nfunc (b B) total() {\n}\n',
    name: 'A.total',
    lines: [1],
  },
  { what: 'an owner that is not a name', text: 'def total():\n  pass\n', name: 'a(b.total', lines: [] },
  { what: 'what is not a name', text: 'def total():\n  pass\n', name: '.*', lines: [] },
];

describe('[PH1] a function is found by how it is defined', () => {
  test.for(ROWS)('$what', ({ text, name = 'total', lines }) => {
    expect(locateFunction(text, name)).toEqual(lines);
  });

  test('a long line does not take long', () => {
    const text = `${'a.b(c, '.repeat(20_000)}total\n${'<'.repeat(20_000)} total(\n`;
    expect(locateFunction(text, 'total')).toEqual([]);
  });
});
