# Marks of OSC 133 for a bash that tmuxprim has opened with shell_integration=True.
# They are numbered: only a command that reads the variable below can print the marks of its shell.

# --rcfile takes the place of ~/.bashrc (bash(1), INVOCATION), so that is read first.
if [[ -r ~/.bashrc ]]; then
    . ~/.bashrc
fi

# PROMPT_COMMAND is an array from bash 5.1 on; before that, hooks of the user would be lost in one.
# What the user's files have set ('set -x', a DEBUG trap) shows nothing of this.
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
    # It begins where no other shell does, so that a recorded session of one is not taken for this.
    __tmuxprim_number=$((RANDOM * 32768 + RANDOM))

    # bash evaluates both each time: PS0 before it runs a command, PS1 behind all hooks. A bash that
    # has inherited them has no number.
    __tmuxprim_begins='\e]133;C;tmuxprim=${__tmuxprim_number-}\a'
    __tmuxprim_prompt='\[\e]133;A;status=$?;tmuxprim=${__tmuxprim_number:+$((++__tmuxprim_number))}\a\]'

    # A subshell is no command that a DEBUG trap sees (bash(1), trap). With functrace the trap has
    # one inside, and prints to nowhere. Nor does 'set -x' show what is called here.
    __tmuxprim_hook='if ! (__tmuxprim_ended "$?" || [[ -n $(trap -p DEBUG) ]]); then __tmuxprim_mark; fi 3>&1 >/dev/null 2>&1'
    __tmuxprim_last='if ! (__tmuxprim_is_marked || [[ -n $(trap -p DEBUG) ]]); then __tmuxprim_mark; fi >/dev/null 2>&1'

    __tmuxprim_ended() {
        # Another hook that came first may have printed something by now.
        if [[ -t 3 && ${PROMPT_COMMAND[0]-} == "$__tmuxprim_hook" ]]; then
            builtin printf '\e]133;D;%s;tmuxprim=%s\a' "$1" "$((__tmuxprim_number + 1))" >&3
        fi
        __tmuxprim_is_marked
    }

    __tmuxprim_is_marked() {
        [[ ${PS1-} == "$__tmuxprim_prompt"* && ${PS0-} == *"$__tmuxprim_begins" ]]
    }

    # What the user has set since stays as it is, with the mark before it, or behind it. A theme may
    # make PS1 anew at each prompt, in a hook behind ours. A hook behind that puts the mark back.
    __tmuxprim_mark() {
        if [[ ${PS1-} != "$__tmuxprim_prompt"* ]]; then
            PS1=$__tmuxprim_prompt${PS1-}
        fi
        if [[ ${PS0-} != *"$__tmuxprim_begins" ]]; then
            PS0=${PS0-}$__tmuxprim_begins
        fi
        if [[ -n ${PROMPT_COMMAND[*]-} && ${PROMPT_COMMAND[@]: -1} != "$__tmuxprim_last" ]]; then
            PROMPT_COMMAND+=("$__tmuxprim_last")
        fi
    }

    __tmuxprim_mark
    PROMPT_COMMAND=("$__tmuxprim_hook" "${PROMPT_COMMAND[@]}")
fi >/dev/null 2>&1
