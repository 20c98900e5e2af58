/** Bash: the words of the line are handed on as they stand, and none is evaluated. Redirections stay out. Bash splits words at `=` and `:`. */
const BASH = `# bash completion for vedette
_vedette() {
  local word line cur glue= skip= isFile= tab=$'\\t'
  local -a asked=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    isFile=$skip
    if [[ $word != *[!\\<\\>\\&\\|]* && $word == *[\\<\\>]* ]]; then skip=1; continue; fi
    if [[ $skip ]]; then skip=; continue; fi
    if ((\${#asked[@]})) && [[ $glue || $word == [=:] ]]; then asked[\${#asked[@]}-1]+=$word; else asked+=("$word"); fi
    [[ $word == [=:] ]] && glue=1 || glue=
  done
  COMPREPLY=()
  # The word at the cursor is the file of a redirection.
  [[ $isFile || $skip ]] && return
  cur=\${asked[\${#asked[@]}-1]#--*=}
  while IFS= read -r line; do
    line=\${line%%"$tab"*}
    [[ $line != :* && $line == "$cur"* ]] && COMPREPLY+=("\${line#"\${cur%"\${cur##*:}"}"}")
  done < <(vedette complete -- "\${asked[@]}" 2>/dev/null)
}
complete -F _vedette vedette
`;

/** Zsh: its `words` hold no redirections, and none is evaluated. */
const ZSH = `#compdef vedette
_vedette() {
  local line tab=$'\\t'
  local -a found
  while IFS= read -r line; do
    [[ $line == :* ]] && continue
    line=\${line//:/\\\\:}
    found+=("\${line/$tab/:}")
  done < <(vedette complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  compset -P '--*='
  _describe vedette found
}
if [[ \${funcstack[1]} == _vedette ]]; then _vedette "$@"; else compdef _vedette vedette; fi
`;

/** Scripts of our own where those of the library evaluate the line. Fish's does not. */
export const SCRIPTS: Readonly<Record<string, string | undefined>> = { bash: BASH, zsh: ZSH };
