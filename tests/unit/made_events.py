"""Events of a run such as Snakemake logs them."""

import logging
from itertools import count

from snakemake_interface_logger_plugins.common import LogEvent

_THREADS = count(1)


def event(kind, thread=0, level=logging.INFO, msg=None, **facts):
    """A record of an event, as a plug-in gets it."""
    said = {"event": LogEvent[kind], "levelno": level, "msg": str(msg), "thread": thread}
    return logging.makeLogRecord(said | facts)


def job_info(number, rule, message=None, memory=None, **facts):
    """The start of a job."""
    told = {"output": [f"{number}.out"], "log": [], "benchmark": None, "reason": ""}
    resources = {"mem_mb": memory} if memory else {}
    told |= {"jobid": number, "rule_name": rule, "rule_msg": message, "resources": resources}
    return event("JOB_INFO", **told | facts)


def job_finished(number):
    return event("JOB_FINISHED", job_id=number)


def error(text, exception="RuleException", thread=0):
    """An exception that Snakemake tells of."""
    return event("ERROR", thread, logging.ERROR, text, exception=exception)


def job_error(number, logs=(), said=None, thread=0, indent=False, **aux):
    """The failure of a job."""
    told = {"jobid": number, "rule_msg": said, "log": list(map(str, logs)), "indent": indent}
    return event("JOB_ERROR", thread, logging.ERROR, f"Error {number}", aux=aux, **told)


def job_death(number, ended, logs=()):
    """An exception and the failure that it causes: Snakemake tells of both in one thread."""
    text = f"CalledProcessError in file \"a.smk\", line 44:\nCommand 'python a.py' {ended}."
    thread = next(_THREADS)
    return error(text, thread=thread), job_error(number, logs, thread=thread)


def group_error(name, logs, *numbers):
    """The failure of a group of jobs."""
    info = [{"jobid": number} for number in numbers]
    told = {"groupid": name, "aux_logs": list(map(str, logs)), "job_error_info": info}
    return event("GROUP_ERROR", 0, logging.ERROR, f"Error in group {name}", **told)
