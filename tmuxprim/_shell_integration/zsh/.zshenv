# Marks of OSC 133 for a zsh that tmuxprim has opened with shell_integration=True.
# They are numbered: only a command that reads the variable below can print the marks of its shell.

# zsh has come here by ZDOTDIR (zsh(1), STARTUP/SHUTDOWN FILES). It gets its value back at once, so
# that zsh reads the user's other files, and so that no program that is run has another one.
if [[ -n ${TMUXPRIM_ZDOTDIR+set} ]]; then
    export ZDOTDIR=$TMUXPRIM_ZDOTDIR
    unset TMUXPRIM_ZDOTDIR
else
    unset ZDOTDIR
fi

# This file was read in place of the user's own.
if [[ -r ${ZDOTDIR:-$HOME}/.zshenv ]]; then
    source ${ZDOTDIR:-$HOME}/.zshenv
fi

if [[ -o interactive ]]; then
    # It begins where no other shell does, so that a recorded session of one is not taken for this.
    typeset -g _tmuxprim_number=$((RANDOM * 32768 + RANDOM))

    # 'set -x' shows nothing of this, nor do the user's options change it.
    _tmuxprim_begins() {
        {
            builtin print -n "\e]133;C;tmuxprim=$_tmuxprim_number\a"
        } 2>/dev/null
    }

    _tmuxprim_ended() {
        {
            local ended=$?
            emulate -L zsh
            _tmuxprim_number=$((_tmuxprim_number + 1))
            # zsh has marked the end of the output by now (PROMPT_SP), so hooks that came first are
            # behind that.
            builtin print -n "\e]133;D;$ended;tmuxprim=$_tmuxprim_number\a"
            builtin print -n "\e]133;A;status=$ended;tmuxprim=$_tmuxprim_number\a"
            # What hooks print before a command is no output, so the mark comes behind all of them.
            preexec_functions=(${preexec_functions:#_tmuxprim_begins} _tmuxprim_begins)
        } 2>/dev/null
    }

    typeset -ga precmd_functions preexec_functions
    precmd_functions=(_tmuxprim_ended $precmd_functions)
    preexec_functions+=(_tmuxprim_begins)
fi
